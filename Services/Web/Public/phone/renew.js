// Opens the page again when the service worker of the new version has taken over.

// The time in milliseconds after which the worker is given up: the page then comes without any worker.
const limit = 6000;
const workers = navigator.serviceWorker;

async function openWhenReady() {
  const registration = await workers.getRegistration();
  const isReady = !registration?.installing && !registration?.waiting;
  if (isReady && registration?.active?.state !== 'activating') location.reload();
}

workers.addEventListener('controllerchange', () => location.reload());
setInterval(openWhenReady, 200);
setTimeout(async () => {
  await (await workers.getRegistration())?.unregister();
  location.reload();
}, limit);
