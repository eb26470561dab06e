// Starts a seeded episode of a MiniWoB++ page and reports its goal and its reward to the server that sent the page.
addEventListener("load", () => {
  const key = new URLSearchParams(location.search).get("key");
  const tell = (what, body) => fetch(`/_${what}?key=${encodeURIComponent(key)}`, { method: "POST", body: String(body) });
  for (const id of ["reward-display", "click-canvas", "sync-task-cover"]) {
    const cover = document.getElementById(id);
    if (cover) cover.style.display = "none";
  }
  Math.seedrandom(key.split("-").pop());
  core.EPISODE_MAX_TIME = 3600000;
  const end = core.endEpisode;
  let over = false;
  core.endEpisode = function (reward, ...rest) {
    if (!over) tell("end", WOB_RAW_REWARD_GLOBAL > 0 ? WOB_RAW_REWARD_GLOBAL : reward);
    over = true;
    document.body.innerHTML = "<p>The episode is over.</p>";
  };
  core.startEpisodeReal();
  const said = core.getUtterance();
  tell("start", typeof said === "string" ? said : said.utterance);
});
