import json
import os
import urllib.request


def send(path, method, body=None):
    request = urllib.request.Request(
        os.environ["TRAINYARD_TRAINING_URL"] + path,
        method=method,
        headers={
            "Authorization": f"Bearer {os.environ['TRAINYARD_API_KEY']}",
            "Content-Type": "application/json",
        },
        data=None if body is None else json.dumps(body).encode(),
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)


model = send(
    "/v1/preview/models",
    "POST",
    {
        "project": "support-desk",
        "name": "scratch",
        "base_model": "demo/tiny",
        "return_existing": True,
    },
)
print(send(f"/v1/preview/models/{model['id']}", "DELETE"))
