"""Being told that it is one's turn: a message for the worker beside the page, and the bell."""

from __future__ import annotations

import json

from playwright.sync_api import Page, expect

from tests.browser.conftest import Problems, Visit
from tests.browser.test_cronberg import play_now
from tests.server.client import until
from tests.server.servers import ServerProcess

TOLD = {"table": "abc", "title": "A table of friends", "url": "/table/abc"}
LISTEN = """() => {
    const { registration } = self;
    const show = registration.showNotification.bind(registration);
    self.shown = [];
    registration.showNotification = (title, options) => {
        self.shown.push([title, options.body, options.data]);
        return show(title, options).catch(() => undefined);
    };
}"""
"""What the worker shows is listened to there: browsers without a desktop refuse to show anything, permitted or not."""


def deliver(page: Page, origin: str) -> None:
    """What a push service would bring."""
    session = page.context.new_cdp_session(page)
    found: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: found.extend(each["registrationId"] for each in told["registrations"]),
    )
    session.send("ServiceWorker.enable")
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    message = {"origin": origin, "registrationId": found[-1], "data": json.dumps(TOLD)}
    session.send("ServiceWorker.deliverPushMessage", message)


def test_the_worker_tells_whose_turn_it_is(visit: Visit, server: ServerProcess, problems: Problems) -> None:
    """No push service can be reached from here: the page says so, and the message is brought by hand."""
    problems.expect("Push API in incognito")
    page = visit(locale="de-DE", permissions=["notifications"])
    page.goto("/settings")
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    page.locator(".remind button").click()
    expect(page.locator(".remind")).to_contain_text("nicht zu erreichen")
    (worker,) = page.context.service_workers
    worker.evaluate(LISTEN)
    deliver(page, server.address)
    shown = until(lambda: worker.evaluate("() => self.shown"), "a notification")
    assert shown == [["Am Tisch bist du am Zug.", TOLD["title"], TOLD["url"]]]


def test_the_bell_rings_without_a_complaint(page: Page) -> None:
    """The page's own bell, after the person has touched the page: what complains fails the test."""
    page.goto("/settings")
    page.get_by_label("A bell when it is my turn").check()
    page.add_init_script(
        """window.rung = 0;
        const start = OscillatorNode.prototype.start;
        OscillatorNode.prototype.start = function () { window.rung += 1; return start.call(this); };"""
    )
    play_now(page)
    page.wait_for_function("() => window.rung > 0")
