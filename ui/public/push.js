/** The service worker: shows what the server pushes, also while no page is open, and opens what it leads to. */

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("push", (event) => {
  const { title = "Pilotfish", text = "", tag = "", link = "/" } = read(event.data);
  event.waitUntil(self.registration.showNotification(title, { body: text, tag, icon: "/fish.svg", data: { link } }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(String(event.notification.data?.link ?? "/")));
});

function read(data) {
  try {
    return data?.json() ?? {};
  } catch {
    return {};
  }
}

/** Shows a page of this server: in a window that has it, else in a new one. */
async function open(link) {
  const address = new URL(link, self.location.origin);
  if (address.origin !== self.location.origin) return;
  const windows = await self.clients.matchAll({ type: "window" });
  const shown = windows.find((each) => each.url === address.href);
  if (shown) await shown.focus();
  else await self.clients.openWindow(address.href);
}
