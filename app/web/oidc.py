"""The company's sign-in: OpenID Connect with authorization code, PKCE, state and nonce, by Authlib.

What must come back with the browser is kept in a signed cookie of ten minutes; no process has to remember anything."""

from dataclasses import dataclass
from typing import Any

import httpx2
from authlib.common.errors import AuthlibBaseError
from authlib.common.security import generate_token
from authlib.integrations.base_client.errors import OAuthError
from authlib.integrations.httpx_client import OAuth2Client
from itsdangerous import BadData, URLSafeTimedSerializer
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet
from starlette.responses import Response

from app.logs import logger
from app.services.sign_in import SignInRefused
from app.settings import Settings

COOKIE, COOKIE_PATH, LASTS_S = "gpuplan_oidc", "/sign-in", 600
SCOPE = "openid profile email"
ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA"]
TIMEOUT_S, CLOCK_SKEW_S = 10.0, 60
NAME_CLAIMS = ("preferred_username", "email", "name", "sub")
_log = logger(__name__)
_BROKEN = (httpx2.HTTPError, AuthlibBaseError, LookupError, TypeError, ValueError, AttributeError)
"""What the libraries raise for a provider that is out of reach or answers nonsense."""


@dataclass(frozen=True, slots=True)
class Departure:
    """Where the browser goes, and what it takes along."""

    url: str
    cookie: str


@dataclass(frozen=True, slots=True)
class Arrival:
    """Whom the company vouches for, and the page they wanted. `subject` is issuer and subject together."""

    subject: str
    name: str
    next: str


def is_on(settings: Settings) -> bool:
    """Whether the site has a company's sign-in."""
    return bool(settings.oidc_issuer and settings.oidc_client_id and settings.oidc_client_secret)


def depart(settings: Settings, callback: str, wanted: str) -> Departure:
    """Sends the browser to the provider. SignInRefused: it cannot be reached."""
    kept = {"nonce": generate_token(), "verifier": generate_token(64), "next": wanted, "callback": callback}
    try:
        provider = _discovered(settings)
        with _client(settings, callback) as client:
            url, state = client.create_authorization_url(
                provider["authorization_endpoint"], code_verifier=kept["verifier"], nonce=kept["nonce"]
            )
    except _BROKEN as error:
        raise _unreachable(error) from None
    return Departure(url, _signer(settings).dumps({**kept, "state": state}))


def arrive(settings: Settings, cookie: str, url: str, state: str) -> Arrival:
    """Checks what came back. SignInRefused: it is not the answer to our question, or the provider said no."""
    try:
        kept = _signer(settings).loads(cookie, max_age=LASTS_S)
    except BadData:
        raise SignInRefused("account.company_again") from None
    if not state or state != kept["state"]:
        raise SignInRefused("account.company_again")
    try:
        provider = _discovered(settings)
        with _client(settings, kept["callback"]) as client:
            token = client.fetch_token(
                provider["token_endpoint"], authorization_response=url, state=kept["state"], code_verifier=kept["verifier"]
            )
            keys = client.request("GET", provider["jwks_uri"], withhold_token=True).raise_for_status().json()
    except OAuthError as error:
        _log.warning("oidc.refused", error=error.error)
        raise SignInRefused("account.company_refused") from None
    except _BROKEN as error:
        raise _unreachable(error) from None
    claims = _claims(settings, str(token.get("id_token") or ""), keys, kept["nonce"])
    name = next(str(claims[key]) for key in NAME_CLAIMS if claims.get(key))
    return Arrival(f"{claims['iss']} {claims['sub']}", name, kept["next"])


def carry(response: Response, departure: Departure, settings: Settings) -> None:
    """Gives the browser what it takes along."""
    response.set_cookie(
        COOKIE, departure.cookie, max_age=LASTS_S, path=COOKIE_PATH, httponly=True, samesite="lax", secure=settings.has_secure_cookies
    )


def drop(response: Response) -> None:
    """Takes it back."""
    response.delete_cookie(COOKIE, path=COOKIE_PATH, httponly=True, samesite="lax")


def _claims(settings: Settings, id_token: str, keys: Any, nonce: str) -> dict[str, Any]:
    registry = jwt.JWTClaimsRegistry(
        leeway=CLOCK_SKEW_S,
        iss={"essential": True, "value": str(settings.oidc_issuer)},
        aud={"essential": True, "value": str(settings.oidc_client_id)},
        nonce={"essential": True, "value": nonce},
        sub={"essential": True},
        exp={"essential": True},
    )
    try:
        claims = jwt.decode(id_token, KeySet.import_key_set(keys), algorithms=ALGORITHMS).claims
        registry.validate(claims)
    except (JoseError, LookupError, TypeError, ValueError) as error:
        _log.warning("oidc.invalid_token", error=type(error).__name__)
        raise SignInRefused("account.company_refused") from None
    return claims


def _discovered(settings: Settings) -> dict[str, str]:
    address = f"{str(settings.oidc_issuer).rstrip('/')}/.well-known/openid-configuration"
    found: dict[str, str] = httpx2.get(address, timeout=TIMEOUT_S).raise_for_status().json()
    if found["issuer"] != settings.oidc_issuer:
        raise ValueError("issuer")
    return found


def _client(settings: Settings, callback: str) -> OAuth2Client:
    assert settings.oidc_client_secret is not None
    return OAuth2Client(
        client_id=settings.oidc_client_id,
        client_secret=settings.oidc_client_secret.get_secret_value(),
        scope=SCOPE,
        redirect_uri=callback,
        code_challenge_method="S256",
        timeout=TIMEOUT_S,
    )


def _signer(settings: Settings) -> URLSafeTimedSerializer:
    # The client's secret exists exactly where this is used, and rotating it ends only sign-ins that are under way.
    assert settings.oidc_client_secret is not None
    return URLSafeTimedSerializer(settings.oidc_client_secret.get_secret_value(), salt="gpuplan.oidc")


def _unreachable(error: Exception) -> SignInRefused:
    _log.warning("oidc.unreachable", error=repr(error))
    return SignInRefused("account.company_unreachable")
