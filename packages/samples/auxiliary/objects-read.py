import json
import os
import urllib.request

request = urllib.request.Request(
    os.environ["TRAINYARD_AUXILIARY_URL"]
    + "/obj/read",
    method="POST",
    headers={
        "Authorization": f"Bearer {os.environ['TRAINYARD_API_KEY']}",
        "Content-Type": "application/json",
    },
    data=json.dumps(
        {
            "project_id": "harbor/support-desk",
            "object_id": "agent-1-instructions",
            "digest": "latest",
            "include_tags_and_aliases": True,
        }
    ).encode(),
)
with urllib.request.urlopen(request) as response:
    print(json.load(response))
