/** Stands where something will be as soon as the server has told it. */
import { words } from "../words";

export const Bones = () => (
  <div class="bones" aria-busy="true">
    <p class="unseen">{words.value.talk.loading}</p>
    <div class="bone" />
    <div class="bone" />
    <div class="bone short" />
  </div>
);
