import json
import os
import urllib.request

request = urllib.request.Request(
    os.environ["TRAINYARD_INFERENCE_URL"]
    + "/chat/completions",
    method="POST",
    headers={
        "Authorization": f"Bearer {os.environ['TRAINYARD_API_KEY']}",
        "Compat-Project": "harbor/support-desk",
        "Content-Type": "application/json",
    },
    data=json.dumps(
        {
            "model": "demo/tiny",
            "messages": [
                {
                    "role": "user",
                    "content": "Does the 9:40 to Bergen carry bicycles?",
                },
            ],
        }
    ).encode(),
)
with urllib.request.urlopen(request) as response:
    print(json.load(response))
