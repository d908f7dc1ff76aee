import json
import os
import urllib.request

request = urllib.request.Request(
    os.environ["TRAINYARD_AUXILIARY_URL"]
    + "/inference/vendor/v2/hardware?model=tiny",
    headers={
        "Authorization": f"Bearer {os.environ['TRAINYARD_ACCESS_TOKEN']}",
    },
)
with urllib.request.urlopen(request) as response:
    print(json.load(response))
