"""Brings a picture to the first connected system of a client that takes it, with nothing but Python's standard library.

    LIBRARY_URL=https://assets.example.com LIBRARY_KEY=cal_… python3 deliver-a-picture.py harbour.jpg
    LIBRARY_URL=https://assets.example.com LIBRARY_KEY=cal_… python3 deliver-a-picture.py "harbour at dawn" "Early at the harbour"

The second argument is what a post says: without it nothing is published, and only files are delivered.
A file is uploaded first; one that broke off goes on where it was when you run it again. Anything else is searched for.
"""

import http.client
import json
import mimetypes
import os
import random
import sys
import time
import urllib.parse
import uuid

LIBRARY = os.environ.get("LIBRARY_URL", "http://localhost:3000").rstrip("/")
ATTEMPTS = 5
LONGEST_PAUSE = 60


class Refused(Exception):
    """A refusal: `code` is stable, `detail` says what can be done."""

    def __init__(self, status, body, retry_after):
        super().__init__(f"{body.get('code')}: {body.get('detail')}")
        self.status, self.code, self.retry_after = status, body.get("code"), retry_after


def request(method, url, headers, body=None):
    """One request. `body` is bytes, or (file, offset, size) and is read as it is sent."""
    parts = urllib.parse.urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.netloc, timeout=300)
    try:
        if isinstance(body, tuple):
            headers = {**headers, "Content-Length": str(body[2])}
            body = pieces(*body)
        connection.request(method, urllib.parse.urlunsplit(("", "", *parts[2:4], "")), body, headers)
        response = connection.getresponse()
        answer = response.read()
    finally:
        connection.close()
    if response.status >= 400:
        try:
            told = json.loads(answer)
        except ValueError:
            told = {"detail": answer[:500].decode(errors="replace")}
        retry_after = response.headers.get("Retry-After", "")
        raise Refused(response.status, told, int(retry_after) if retry_after.isdigit() else 0)
    return answer


def pieces(file, offset, size):
    file.seek(offset)
    while size > 0:
        piece = file.read(min(size, 1 << 20))
        size -= len(piece)
        yield piece


def repeated(work):
    """Repeats what failed for a reason that passes: a broken line (EPIPE, a reset, no answer), or a server that is busy."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return work()
        except (OSError, http.client.HTTPException) as error:
            asked, reason = 0, error
        except Refused as error:
            asked, reason = error.retry_after, error
            if error.status not in (408, 429, 502, 503, 504) and error.code != "finalize-in-progress":
                raise
        if attempt == ATTEMPTS or asked > LONGEST_PAUSE:
            raise reason
        time.sleep(max(asked, min(8, 0.25 * 2**attempt) * random.uniform(0.5, 1)))


def call(method, path, body=None):
    headers = {"Authorization": f"Bearer {os.environ['LIBRARY_KEY']}", "Accept": "application/json"}
    if body is not None:
        headers["Content-Type"] = "application/json"
    if method == "POST":
        # One key for all attempts: what was made by one whose answer was lost is not made again.
        headers["Idempotency-Key"] = str(uuid.uuid4())
    sent = None if body is None else json.dumps(body).encode()
    return json.loads(repeated(lambda: request(method, LIBRARY + path, headers, sent)))


def upload(client, path):
    """Session, PUT, finalize. Keeps beside the file what another run needs to take the upload up."""
    sessions, note = f"{client}/assets/upload-session", f"{path}.upload.json"
    try:
        with open(note, encoding="utf-8") as noted:
            session = json.load(noted)
    except FileNotFoundError:
        session = call(
            "POST",
            sessions,
            {
                "originalFilename": os.path.basename(path),
                "mimeType": mimetypes.guess_type(path)[0] or "application/octet-stream",
                "expectedSizeBytes": os.path.getsize(path),
            },
        )
        with open(os.open(note, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "w", encoding="utf-8") as noting:
            json.dump(session, noting)
    try:
        with open(path, "rb") as file:
            send(sessions, session, file, os.path.getsize(path))
        asset = call("POST", f"{sessions}/finalize", {"uploadToken": session["uploadToken"], "provenance": "camera"})
    except Refused as error:
        if error.status in (404, 410, 422):  # the session is over, or the file itself is refused
            os.remove(note)
        raise
    os.remove(note)
    print(f"It is {asset['assetRef']}.")
    return asset["assetRef"]


def send(sessions, session, file, size):
    """Only what has not arrived. The address alone authorises a PUT: no header of ours goes along."""
    token, session_id = session["uploadToken"], session["uploadSessionId"]

    def put(address_of, offset, length):
        def once():
            address = address_of()
            if address:
                try:
                    request("PUT", address, {}, (file, offset, length))
                except Refused as error:
                    # An address that has run out is refused: the next attempt asks for another.
                    error.status = 503 if error.status == 403 else error.status
                    raise

        repeated(once)

    progress = call("GET", f"{sessions}/{session_id}")
    if progress["status"] != "awaiting-upload":
        return
    if "multipart" not in progress:
        put(lambda: call("GET", f"{sessions}/{session_id}")["uploadUrl"], 0, size)
        return
    part_size, there = progress["multipart"]["partSizeBytes"], progress["multipart"]["uploadedPartNumbers"]
    for number in range(1, -(-size // part_size) + 1):
        if number in there:
            continue
        offset = (number - 1) * part_size
        wanted = {"uploadToken": token, "partNumbers": [number]}
        put(lambda: call("POST", f"{sessions}/parts", wanted)["parts"][0]["uploadUrl"], offset, min(part_size, size - offset))
        print(f"{min(100, 100 * number * part_size // size)} % sent")


def find(client, words):
    query = urllib.parse.urlencode({"q": words, "everywhere": "true", "limit": 20})
    return [asset["assetRef"] for asset in call("GET", f"{client}/assets?{query}")["assets"]]


def first_that_fits(client, connection, refs):
    """The first asset that may go to this system; says of the others why not."""
    purpose = {"assetRefs": refs, "surface": connection["surfaces"][0]}
    if connection["target"]:
        purpose["target"] = connection["target"]
    for result in call("POST", f"{client}/asset-refs/resolve", purpose)["results"] if refs else []:
        if result["ok"]:
            return result["pinnedRef"]
        print(f"{result['assetRef']} not to {connection['name']}: {result['detail']} {result['fix']}")
    return None


def deliver(client, connection, ref, text):
    """Asked for twice, it is brought once. Where each delivery is a post, it says the text."""
    order = {"assetRef": ref, "connectionId": connection["connectionId"], "surface": connection["surfaces"][0]}
    if connection["postText"]:
        order["text"] = text
    delivery = call("POST", f"{client}/deliveries", order)
    while delivery["status"] in ("queued", "preparing", "sending"):
        time.sleep(1)
        delivery = call("GET", f"{client}/deliveries/{delivery['deliveryId']}")
    told = delivery["remoteUrl"] or delivery["lastError"] or ""
    print(f"{ref} to {connection['name']}: {delivery['status']} {told}")


def main():
    if len(sys.argv) < 2 or "LIBRARY_KEY" not in os.environ:
        sys.exit("LIBRARY_KEY=cal_… python3 deliver-a-picture.py <file, or words to look for> [what a post says]")
    file_or_words, text = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
    client_id = os.environ.get("LIBRARY_CLIENT") or call("GET", "/auth/me")["clients"][0]["clientId"]
    client = f"/admin/clients/{client_id}"

    connections = [
        each
        for each in call("GET", f"{client}/connections")["connections"]
        if each["status"] != "error" and (text or not each["postText"])
    ]
    refs = [upload(client, file_or_words)] if os.path.exists(file_or_words) else find(client, file_or_words)
    for connection in connections:
        ref = first_that_fits(client, connection, refs)
        if ref:
            deliver(client, connection, ref, text)
            return
    sys.exit("None of it fits." if connections else "No system to deliver to: connect one, or say what to post.")


if __name__ == "__main__":
    main()
