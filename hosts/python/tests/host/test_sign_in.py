"""A server that wants signing in, before a call and in the middle of it: examples/go-server, which looks tokens up at
oidc-provider. The host signs in by the official SDK's OAuth client."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from mcp.client.auth import OAuthClientProvider, TokenStorage
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken

from checkout import REPO
from parley_mrtr.host import (
    PARK,
    CallFailed,
    Code,
    Done,
    Pending,
    Question,
    Session,
    StreamableHTTP,
    ToolResult,
    accept,
    connect,
)
from parley_mrtr.host.sign_in import SignIn, SignInError

SIGNIN = REPO / "tests/signin"
CALL: dict[str, Any] = {"name": "update_work_item", "arguments": {"id": 4711, "state": "Resolved"}}
FIXED = accept({"resolution": "Fixed"})


async def resolves(session: Session) -> ToolResult:
    return await session.call_tool("update_work_item", CALL["arguments"])


@pytest.fixture(scope="module")
def url(go_server: Path) -> Iterator[str]:
    # It registers nobody who names scopes, as the SDK does: the client is known to it.
    known = ["--client", "tests", "--scope", "items", "--scope", "items:write"]
    with subprocess.Popen(["node", "authorization-server.js", *known], cwd=SIGNIN, stdout=subprocess.PIPE) as issues:
        assert issues.stdout
        at = json.loads(issues.stdout.readline())
        command = [go_server, "-addr", "127.0.0.1:0", "-issuer", at["issuer"], "-client-id", at["id"]]
        environment = {"CLIENT_SECRET": at["secret"]}
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as serves:
            assert serves.stdout
            yield serves.stdout.readline().split()[-1]
            serves.terminate()
        issues.terminate()


class Kept(TokenStorage):
    """An account, in memory."""

    def __init__(self) -> None:
        self.tokens: OAuthToken | None = None
        redirect: Any = ["http://127.0.0.1/callback"]
        self.client = OAuthClientInformationFull(
            client_id="tests", redirect_uris=redirect, token_endpoint_auth_method="none"
        )

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


class Person:
    """Signs in, by a program in place of the browser, and answers."""

    def __init__(self) -> None:
        self.signed_in = 0
        self.asked: list[str] = []
        self.refuses = False

    def elicit(self, question: Question) -> Any:
        self.asked.append(question.message)
        return FIXED


@asynccontextmanager
async def signing_in(url: str, person: Person, account: Kept | None = None) -> AsyncIterator[SignIn]:
    came: asyncio.Queue[str] = asyncio.Queue()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        came.put_nowait((await reader.readline()).decode().split()[1])
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        await writer.drain()
        writer.close()

    async def opens(page: str) -> None:
        if person.refuses:
            raise PermissionError("not now")
        person.signed_in += 1
        browser = await asyncio.create_subprocess_exec("node", str(SIGNIN / "forms.js"), page)
        assert await browser.wait() == 0

    async def answered() -> AuthorizationCodeResult:
        said = {name: values[0] for name, values in parse_qs(urlsplit(await came.get()).query).items()}
        return AuthorizationCodeResult(code=said["code"], state=said.get("state"), iss=said.get("iss"))

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as callback:
        port = callback.sockets[0].getsockname()[1]
        metadata = OAuthClientMetadata(redirect_uris=[f"http://127.0.0.1:{port}/callback"], client_name="tests")  # type: ignore[list-item]
        yield SignIn(url, OAuthClientProvider(url, metadata, account or Kept(), opens, answered))


def test_a_sign_in_before_the_call_and_one_in_its_middle(url: str) -> None:
    async def run() -> None:
        person, account = Person(), Kept()
        async with signing_in(url, person, account) as login:
            transport = StreamableHTTP(url, authorization=login.authorization)
            async with connect(transport, elicit=person.elicit, authorize=login.authorize) as session:
                for done in await asyncio.gather(resolves(session), resolves(session)):
                    assert done.text == "Work item 4711 is now Resolved as Fixed."
                assert person.signed_in == 2  # for `items`, and for `items:write`, whichever call it was
                assert len(person.asked) == 2  # once a call

                before, login.auth.context.token_expiry_time = account.tokens, 1.0
                await resolves(session)
                assert account.tokens != before  # renewed before it went out
        async with signing_in(url, person, account) as login:
            transport = StreamableHTTP(url, authorization=login.authorization)
            async with connect(transport, elicit=person.elicit, authorize=login.authorize) as session:
                await resolves(session)
        assert person.signed_in == 2  # the account was kept

    asyncio.run(run())


def test_a_sign_in_that_waits(url: str) -> None:
    """It is parked like a question, in the middle of a call, and answered in another session."""

    async def run() -> None:
        person, account = Person(), Kept()
        async with signing_in(url, person, account) as login:
            transport = StreamableHTTP(url, authorization=login.authorization)
            async with connect(transport, authorize=lambda _: PARK) as session:
                first = await session.start("tools/call", CALL)
                assert isinstance(first, Pending)
                (question,) = first.questions
                assert (question.kind, question.about["status"], person.signed_in) == ("authorize", 401, 0)
                await login.authorize(question)
                second = await session.resume(first.snapshot, {})
                assert isinstance(second, Pending)
                (form,) = second.questions
                assert form.message == "How was work item 4711 resolved?"
                third = await session.resume(second.snapshot, {form.id: FIXED})
                assert isinstance(third, Pending)
                (wider,) = third.questions
                assert (wider.kind, wider.about["status"], wider.about["scope"]) == (
                    "authorize",
                    403,
                    "items items:write",
                )
                assert wider.id != question.id
                await login.authorize(wider)
            # Whoever has signed in already needs no asker.
            async with connect(transport) as session:
                done = await session.resume(third.snapshot, {})
            assert isinstance(done, Done)
            assert done.value["content"][0]["text"] == "Work item 4711 is now Resolved as Fixed."
        assert person.signed_in == 2

    asyncio.run(run())


def test_without_a_way_to_sign_in(url: str) -> None:
    async def run() -> None:
        async with connect(url) as session:
            with pytest.raises(CallFailed) as failed:
                await session.start("tools/call", CALL)
        assert (failed.value.code, failed.value.in_doubt, failed.value.resumable) == (Code.UNAUTHORIZED, False, True)
        assert "wants authorization" in str(failed.value)

    asyncio.run(run())


def test_nobody_signs_in(url: str) -> None:
    async def run() -> None:
        person = Person()
        person.refuses = True
        async with signing_in(url, person) as login:
            transport = StreamableHTTP(url, authorization=login.authorization)
            async with connect(transport, elicit=person.elicit, authorize=login.authorize) as session:
                with pytest.raises(CallFailed, match=r"signing in failed \(PermissionError\)") as failed:
                    await resolves(session)
                assert (failed.value.code, failed.value.in_doubt, failed.value.resumable) == (
                    Code.UNAUTHORIZED,
                    False,
                    True,
                )
                assert isinstance(failed.value.__cause__, SignInError)

    asyncio.run(run())


def test_credentials_that_no_challenge_changes(url: str) -> None:
    class Fixed(httpx2.Auth):
        def auth_flow(self, request: httpx2.Request) -> Any:
            request.headers["Authorization"] = "Bearer hunter2"
            yield request

    async def run() -> None:
        login = SignIn(url, Fixed())
        transport = StreamableHTTP(url, authorization=login.authorization)
        async with connect(transport, authorize=login.authorize) as session:
            with pytest.raises(CallFailed, match="wants another sign-in") as failed:
                await resolves(session)
        assert "hunter2" not in str(failed.value)

    asyncio.run(run())
