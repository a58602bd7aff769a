"""The page on a phone: without a connection, after an update, on the home screen, and what other apps share to it."""
import contextlib
import os
import pathlib
import shutil
import subprocess
import tempfile
import urllib.request

from case import PageCase
from page import PHONE
from relay import Relay
from testhousehold import free_port, wait_for

CONTROLLED = "return Boolean(navigator.serviceWorker.controller)"
INSTALLED = "return navigator.serviceWorker.getRegistration().then((one) => one?.active?.state === 'activated')"
# True if the page gets the changed files of `changed_service`.
SECOND = "return fetch('/app.js').then((one) => one.text()).then((text) => text.includes('isOfTheSecondVersion'))"
OFFLINE = "return document.querySelector('h1')?.textContent === 'Lunara cannot be reached'"


class PageService:
    """A web service with a copy of the page's files, which a test may change. It knows no rooms and no music."""

    def __init__(self, programs, folder):
        self.folder = pathlib.Path(folder)
        self.program = self.folder / ".build/debug/lunara-web"
        self.files = self.folder / "Services/Web/Public"
        self.program.parent.mkdir(parents=True)
        shutil.copy2(pathlib.Path(programs) / "lunara-web", self.program)
        sources = pathlib.Path(__file__).resolve().parent.parent.parent / "Services/Web/Public"
        shutil.copytree(sources, self.files)
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.process = None

    def start(self, environment):
        self.process = subprocess.Popen([self.program], env=environment | {
            "HOME": str(self.folder), "LUNARA_HOME": str(self.folder / "home"), "LUNARA_RUN": str(self.folder / "run"),
            "LUNARA_WEB": f"127.0.0.1:{self.port}", "LUNARA_CONFIG": "/dev/null",
        }, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(self.answers, "the service of the page")

    def answers(self):
        with contextlib.suppress(OSError):
            return urllib.request.urlopen(f"{self.address}/healthz", timeout=5).status == 200
        return False

    def stop(self):
        if self.process:
            self.process.terminate()
            self.process.wait(30)
            self.process = None


class Phone(PageCase):
    """Each test has an origin of its own, so that no worker of another test answers."""

    def reopen(self, address):
        """Opens an address in a new document, without waiting for the page."""
        self.page.driver.get("about:blank")
        self.page.driver.get(address)

    @contextlib.contextmanager
    def relayed(self):
        """Opens the page through a relay, and waits until its worker answers for it."""
        page, address = self.page, self.page.address
        with Relay(self.household.port) as relay:
            page.address = relay.address
            try:
                page.open("albums")
                page.wait("the worker has kept the page", INSTALLED)
                page.open("albums")
                page.wait("the worker answers", CONTROLLED)
                page.has(".record:not(.shimmering)")
                yield relay
            finally:
                page.address = address
                page.open("albums")

    def test_without_a_connection_the_page_says_so_and_opens_by_itself_afterwards(self):
        page = self.page
        with self.relayed() as relay:
            relay.refuse()
            self.reopen(f"{relay.address}/#/albums")
            page.wait("the offline page", OFFLINE)
            self.assertEqual(page.run("return location.hash"), "#/albums")
            for scheme in ("light", "dark"):
                page.set_scheme(scheme, "reduce")
                for size in (PHONE, (1280, 860)):
                    page.resize(size)
                    self.assertEqual(page.axe(), [])
            page.press("#again")
            page.has("#said", "Lunara does not answer.")
            relay.refuse(False)
            page.wait("the page is back", "return document.body.dataset.here === '#/albums'")
            page.has(".record:not(.shimmering)")

    def test_a_service_that_is_silent_leads_to_the_offline_page(self):
        page = self.page
        with self.relayed() as relay:
            relay.hold()
            self.reopen(f"{relay.address}/#/albums")
            page.wait("the offline page", OFFLINE)
            relay.hold(False)
            page.wait("the page is back", "return document.body.dataset.here === '#/albums'")

    def test_covers_and_modules_are_kept_and_data_never_is(self):
        page = self.page
        with self.relayed() as relay:
            page.wait("covers are kept", "return caches.open('covers').then((one) => one.keys()).then((all) => all.length > 3)")
            relay.refuse()
            found = page.run_async("""
                const done = arguments[0];
                (async () => {
                  const [cover] = await (await caches.open('covers')).keys();
                  const kept = await fetch(cover.url);
                  const module = await import('/themes/themes.js');
                  const data = await fetch('/api/v1/albums?limit=1').then(() => 'answered', () => 'failed');
                  done([kept.ok, (await kept.blob()).size > 100, Object.keys(module).length > 0, data]);
                })().catch((error) => done(String(error)));""")
            self.assertEqual(found, [True, True, True, "failed"])
            relay.refuse(False)

    def change(self, service):
        """Changes two files of the page, of which one is joined with others."""
        for name, mark in (("index.html", "<body>"), ("core/format.js", "")):
            file = service.files / name
            text = file.read_text()
            file.write_text(text.replace(mark, '<body data-version="2">') if mark else f"{text}\nexport const isOfTheSecondVersion = true;\n")

    @contextlib.contextmanager
    def changed_service(self):
        """Opens the page of a service of its own, and changes files of the page when its worker answers."""
        page = self.page
        with tempfile.TemporaryDirectory(prefix="lunara-page-") as folder:
            service = PageService(self.household.programs, folder)
            plain = {key: value for key, value in os.environ.items() if not key.startswith("LUNARA_")}
            try:
                service.start(plain)
                page.driver.get(f"{service.address}/#/more")
                page.wait("the worker has kept the page", INSTALLED)
                self.reopen(f"{service.address}/#/more")
                page.wait("the worker answers", CONTROLLED)
                page.wait("the page is there", "return Boolean(document.querySelector('#main .screen'))")
                service.stop()
                self.change(service)
                service.start(plain)
                yield service
            finally:
                page.driver.get("about:blank")
                service.stop()
                page.open("albums")

    def test_a_page_without_a_worker_takes_no_part_of_another_version_and_says_so(self):
        page = self.page
        plain = {key: value for key, value in os.environ.items() if not key.startswith("LUNARA_")}
        script = page.add_script("Object.defineProperty(Navigator.prototype, 'serviceWorker', { value: undefined })")
        with tempfile.TemporaryDirectory(prefix="lunara-page-") as folder:
            service = PageService(self.household.programs, folder)
            try:
                service.start(plain)
                page.driver.get(f"{service.address}/#/more")
                page.has(".more-link")
                page.has_the_rest()
                service.stop()
                self.change(service)
                service.start(plain)
                page.run("location.hash = '#/rooms'")
                page.has(".card.empty p", "Lunara has a new version of the page")
                page.press(".card.empty button", "Try again")
                page.wait("the new page is there", "return document.body.dataset.version === '2' && Boolean(document.querySelector('.screen[aria-label=Rooms]'))")
                self.assertTrue(page.run(SECOND))
            finally:
                page.remove_script(script)
                page.driver.get("about:blank")
                service.stop()
                page.open("albums")

    def test_an_update_never_mixes_two_versions(self):
        page = self.page
        with self.changed_service() as service:
            # The page that is open keeps its version, also in files that it has not loaded yet.
            self.assertFalse(page.run(SECOND))
            self.reopen(f"{service.address}/#/more")
            page.wait("the new page is there", "return document.body.dataset.version === '2' && Boolean(document.querySelector('#main .screen'))")
            self.assertTrue(page.run(SECOND))
            page.wait("the new worker answers", CONTROLLED)

    def test_a_second_tab_leaves_the_version_of_the_first_alone(self):
        page = self.page
        with self.changed_service() as service:
            page.run("window.isKept = true")
            with page.tab():
                page.driver.get(f"{service.address}/#/more")
                page.wait("the page is there", "return Boolean(document.querySelector('#main .screen'))")
                self.assertIsNone(page.run("return document.body.dataset.version ?? null"))
                self.assertFalse(page.run(SECOND))
            self.assertTrue(page.run("return window.isKept === true"), "the first page was not reloaded")
            # The last page that is open gets the new version when it is loaded again.
            page.driver.refresh()
            page.wait("the new page is there", "return document.body.dataset.version === '2' && Boolean(document.querySelector('#main .screen'))")

    def test_a_second_window_leaves_the_version_of_a_visible_page_alone(self):
        page = self.page
        with self.changed_service() as service:
            page.run("""
                window.isKept = true;
                document.addEventListener('visibilitychange', () => { window.wasHidden = true; })""")
            with page.tab("window"):
                page.driver.get(f"{service.address}/#/more")
                page.wait("the page is there", "return Boolean(document.querySelector('#main .screen'))")
                self.assertIsNone(page.run("return document.body.dataset.version ?? null"))
                self.assertFalse(page.run(SECOND))
            self.assertTrue(page.run("return window.isKept === true"), "the first page was not reloaded")
            self.assertIsNone(page.run("return window.wasHidden ?? null"), "the first page was visible all the time")
            # The second window has found the new version, which both pages offer.
            page.press(".banner[data-key=version] .banner-act", "Load it")
            page.wait("the new page is there", "return document.body.dataset.version === '2' && Boolean(document.querySelector('#main .screen'))")

    def test_a_page_with_a_newer_version_behind_it_offers_to_load_it(self):
        page = self.page
        page.open("more")
        page.run("""
            window.orders = [];
            const waiting = { postMessage: (order) => window.orders.push(order) };
            return import('/phone/worker.js').then(({ offer }) => offer({ waiting }, true))""")
        page.press(".banner[data-key=version] .banner-act", "Load it")
        self.assertEqual(page.run("return window.orders"), ["activate"])

    def test_the_home_screen_gets_pictures_and_a_place_to_share_to(self):
        page = self.page
        page.open("more")
        sizes = page.run_async("""
            const done = arguments[0];
            (async () => {
              const manifest = await (await fetch(document.querySelector('link[rel=manifest]').href)).json();
              const measure = async (src) => {
                const { width, height } = await createImageBitmap(await (await fetch(src)).blob());
                return `${width}x${height}`;
              };
              const pictures = manifest.icons.filter(({ type }) => type === 'image/png');
              const found = await Promise.all(pictures.map(async ({ src, sizes, purpose }) => [purpose, sizes, await measure(src)]));
              const apple = await measure(document.querySelector('link[rel=apple-touch-icon]').href);
              done([found, apple, manifest.share_target.params.url]);
            })().catch((error) => done(String(error)));""")
        expected = [[purpose, size, size] for purpose in ("any", "maskable") for size in ("192x192", "512x512")]
        self.assertEqual(sizes, [expected, "180x180", "link"])

    def test_a_link_that_another_app_shares_is_opened_in_the_search(self):
        page = self.page
        for shared, words in (("?title=A%20song&text=Hear%20this%3A%20https%3A%2F%2Fexample.org%2Ftrack%2F1", "https://example.org/track/1"),
                              ("?text=First%20Light", "First Light")):
            page.driver.get("about:blank")
            page.driver.get(f"{self.household.address}/{shared}")
            page.wait("the search has it", "return document.querySelector('#search-words')?.value === arguments[0]", words)
            self.assertEqual(page.run("return location.search"), "")
        page.has(".track-words", "First Light")

    def test_the_settings_offer_to_install_the_page_when_the_browser_can(self):
        page = self.page
        page.resize(PHONE)
        page.open("settings/browser")
        page.has(".phone-settings h3", "On this device")
        page.run("""
            window.isAsked = false;
            dispatchEvent(Object.assign(new Event('beforeinstallprompt'), { prompt: async () => { window.isAsked = true; } }))""")
        page.has(".phone-settings .pill", "Install Lunara")
        self.assertEqual(page.axe(), [])
        page.press(".phone-settings .pill", "Install Lunara")
        page.wait("the browser asks", "return window.isAsked")
        page.wait("the offer is used", "return document.querySelector('.phone-settings .pill.first').hidden")

    def test_an_address_without_encryption_has_the_way_to_one_with_it(self):
        page = self.page
        page.open("more")
        page.run("Object.defineProperty(window, 'isSecureContext', { value: false })")
        page.go("settings/browser")
        page.press("#encryption summary", "How this page gets an encrypted address")
        page.has("#encryption li", "certificate")
        self.assertEqual(page.axe(), [])

    def test_a_cover_that_failed_is_asked_for_again(self):
        page = self.page
        page.open("more")
        art = next(album["art"] for album in self.albums if album.get("art"))
        page.run("""
            const [art] = arguments;
            const { setTimeout } = window;
            window.tries = [];
            window.setTimeout = (run, time, ...rest) => (time === 2000 ? window.tries.push(() => run(...rest)) : setTimeout(run, time, ...rest));
            // At first the picture has an address that is not there.
            const { src } = Object.getOwnPropertyDescriptors(HTMLImageElement.prototype);
            let fails = true;
            const set = function set(value) { src.set.call(this, fails ? value.replace('/art/', '/nothing/') : value); };
            Object.defineProperty(HTMLImageElement.prototype, 'src', { ...src, set });
            window.mend = () => { fails = false; };
            return import('/parts/cover.js').then(({ setCover }) => {
              const frame = document.createElement('span');
              frame.id = 'tried';
              document.body.append(frame);
              setCover(frame, { art, title: 'None' }, 1000);
            })""", art)
        page.wait("it is drawn instead", "return Boolean(document.querySelector('#tried svg')) && window.tries.length > 0")
        # A large cover has a small one below it, and both are asked for again.
        page.run("window.mend(); window.tries.splice(0).forEach((run) => run())")
        page.wait("the cover is there", "return document.querySelector('#tried img.there')?.naturalWidth > 0")

    def test_a_screen_whose_code_could_not_be_loaded_says_so_in_plain_words(self):
        page = self.page
        with Relay(self.household.port) as relay:
            # The first page of a browser has no worker, as every one over an address that is not encrypted.
            page.driver.get("about:blank")
            page.driver.get(f"{relay.address}/#/more")
            page.wait("it is there", "return Boolean(document.querySelector('#main .screen'))")
            relay.refuse()
            page.run("location.hash = '#/works'")
            page.has(".empty p", "This part of the page could not be loaded, as Lunara does not answer.")
            page.press(".empty button", "Try again")
            page.has(".empty p", "Lunara still does not answer.")
            relay.refuse(False)
            page.press(".empty button", "Try again")
            page.wait("the screen is there", "return document.querySelector('#main .screen h1')?.textContent === 'Works'")
        page.open("albums")
