"""The OpenAPI document's paths of webhooks."""

from typing import Any

from holdfast.http.openapi_paths import answer, get, number, post, problems, query
from holdfast.log.deliveries import STATUSES

_ID = {"name": "webhook_id", "in": "path", "required": True, "schema": {"type": "string"}}
_DELIVERY_ID = {"name": "delivery_id", "in": "path", "required": True, "schema": {"type": "string"}}


def webhook_paths() -> dict[str, Any]:
    webhook = "/api/v1/webhooks/{webhook_id}"
    unavailable = (503, 507)
    told = {"200": answer("The webhook", "Webhook")}
    deleted = {"204": {"description": "It is gone, and its deliveries with it"}}
    return {
        "/api/v1/webhooks": {
            **get(
                "The caller's webhooks, the newest first",
                {"200": answer("All of them", "WebhookList"), **problems(400)},
            ),
            **post(
                "Be told of what happens in the caller's sessions from now on",
                "WebhookBody",
                {
                    "201": answer("With the secret, which is never shown again", "Webhook"),
                    **problems(400, 413, *unavailable),
                },
            ),
        },
        webhook: {
            **get("One webhook", {**told, **problems(400, 404)}, _ID),
            **post("Change it", "WebhookChange", {**told, **problems(400, 404, 413, *unavailable)}, _ID),
            "delete": {
                "summary": "Delete it",
                "parameters": [_ID],
                "responses": {**deleted, **problems(400, 404, *unavailable)},
            },
        },
        f"{webhook}/rotate": post(
            "Give it a new secret; the old one signs too for 24 hours",
            "RotateBody",
            {"200": answer("With the new secret", "Webhook"), **problems(400, 404, 413, *unavailable)},
            _ID,
        ),
        f"{webhook}/test": post(
            "Send a message of the type webhook.test, once",
            None,
            {"200": answer("What came of it", "Delivery"), **problems(400, 404, 413, *unavailable)},
            _ID,
        ),
        f"{webhook}/deliveries": get(
            "What was or is to be delivered, the newest first",
            {"200": answer("A page", "DeliveryList"), **problems(400, 404)},
            _ID,
            query("status", {"enum": list(STATUSES)}, "Only those"),
            query("limit", number(50, 1, 200), "How many"),
            query("before", {"type": "string"}, "The value of `next` of the page before"),
        ),
        f"{webhook}/deliveries/{{delivery_id}}": get(
            "One delivery, with what is sent",
            {"200": answer("The delivery", "Delivery"), **problems(400, 404)},
            _ID,
            _DELIVERY_ID,
        ),
        f"{webhook}/deliveries/{{delivery_id}}/retry": post(
            "Send it now, once more",
            None,
            {
                "200": answer("The delivery, which is pending again", "Delivery"),
                **problems(400, 404, 413, *unavailable),
            },
            _ID,
            _DELIVERY_ID,
        ),
    }
