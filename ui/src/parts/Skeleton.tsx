/** A placeholder until the server has answered. */
import { words } from "../words";

export const Skeleton = () => (
  <div class="bones" aria-busy="true">
    <p class="unseen">{words.value.conversation.loading}</p>
    <div class="bone" />
    <div class="bone" />
    <div class="bone short" />
  </div>
);
