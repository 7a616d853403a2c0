import { vendors } from '../../contract/connection-kinds.ts'
import type { FitCode } from '../../contract/fit-reasons.ts'
import type { Answerer, DisabledCode, OutboundCode } from '../../contract/outbound-reasons.ts'
import type { ProblemCode } from '../../contract/problems.ts'
import type { RefusalCode } from '../../contract/references.ts'
import type { FieldRule } from './rules.ts'
import { typesIn } from './types.ts'

const types = typesIn('en-GB')

/** A sentence for everything the server can refuse: what its `detail` says to machines. A code without one does not compile. */
export const problemCodes = {
  'invalid-request': 'Something in it is not valid. Check what you entered.',
  'invalid-client': 'The agent that sent you here is not known. Connect it again from where you use it.',
  'invalid-client-metadata': 'What the agent says of itself is not valid. Tell those who make it.',
  'invalid-redirect-uri':
    'The agent wants your answer sent to an address that is not its own. Do not go on, and tell your administrator.',
  'invalid-target': 'The agent asks for access to something that is not this library.',
  'invalid-grant': 'The access of this agent is over. Connect it again.',
  'temporarily-unavailable': 'This agent waits until its person can come in again.',
  'unsupported-grant-type': 'The agent asks for access in a way that is not known here.',
  unauthenticated: 'Your session has ended. Sign in again.',
  'password-needed': 'This link has a password. Enter the one you were given.',
  'wrong-login': 'E-mail or password is wrong, or this login is switched off.',
  forbidden: 'You may not do that. Ask an administrator for access.',
  'password-change-needed': 'First choose a password of your own, under “Your account”.',
  'second-factor-needed': 'First set up a second factor, under “Your account”.',
  'no-role': '{provider} knows you, but gives you no role that opens anything here. Ask your administrator.',
  'no-account': '{provider} knows you, but there is no account for you here. Ask your administrator for one.',
  'email-not-verified':
    '{provider} has not verified your e-mail. Have it verified there, then sign in again.',
  'embedding-not-allowed':
    'That page may not show this library. An administrator can name it in the settings.',
  'cross-site': 'The request came from another site. Open the library itself and try again.',
  'folder-protected':
    '“{path}” is managed by the Social agent: it cannot be renamed, moved or deleted here, and no folder can be moved into it.',
  'not-found': 'It is no longer there.',
  'upload-not-found': 'This upload is no longer known. Add the file again.',
  'request-timeout': 'The request took too long to arrive. Try again.',
  'file-not-uploaded': 'The file has not arrived completely yet. Try again.',
  'finalize-in-progress': 'The upload is being finished already. Wait a moment.',
  'upload-finalized': 'This upload is in the library already.',
  'quota-exceeded':
    'There is no room for it: {usedBytes} of {quotaBytes} are used. Delete what is not needed, or ask your administrator for more space.',
  'folder-name-taken': 'There is a folder “{name}” here already. Choose another name.',
  'folder-cycle': 'A folder cannot be moved into itself or into a folder inside it.',
  'folder-too-deep': 'Folders can be nested {most} deep at most. Choose a place higher up.',
  'search-name-taken': 'There is a saved search “{name}” already. Choose another name.',
  'too-many-searches': 'There are too many saved searches already. Delete one first.',
  'too-many-agents': 'There are too many agents already. Disconnect one first.',
  'collection-name-taken': 'There is a collection “{name}” already. Choose another name.',
  'too-many-collections':
    'There are {most, number} collections already, and no more fit. Delete one that is not needed.',
  'collection-full': 'A collection has room for {most, number} files. Make another one, or take some out.',
  'too-many-folders':
    'There are {most, number} folders already, those in the trash included, and no more fit. Delete some for good, or use tags.',
  'in-use': 'It is still needed elsewhere, so it stays.',
  'no-surface-in-common':
    '“{title}” and “{name}” are limited to different surfaces: none would be left. Change that first, or keep both.',
  'not-trashed': 'Only what is in the trash can be deleted for good. Move it there first.',
  'current-version': 'This is the version that counts now. Make another one the current version first.',
  'legal-hold':
    '“{title}” is under a legal hold ({reason}). Nothing of it can be removed until an administrator lifts it.',
  'identity-taken': 'This login belongs to another account here.',
  'last-way-in':
    'There would be no way in for you any more. Add a passkey first, or ask an administrator to invite you to choose a password.',
  'email-taken': 'Somebody with this e-mail is here already.',
  'connection-error':
    'This connection did not work when it was last tried, so nothing new goes there. Test it first.',
  'batch-running': 'This is still running. Stop it, or wait for its end.',
  'delivery-state': 'The delivery has moved on meanwhile. Look again.',
  'sign-in-over':
    'This sign-in took too long, was used already, or was begun in another browser. Begin again.',
  'sign-in-declined':
    '{provider} was told not to let the library in, so nothing has changed. Sign in again when you are ready.',
  'sign-in-incomplete':
    '{provider} did not allow everything that is needed. Sign in again with a login that manages this account, and allow all that is asked for.',
  'sign-in-failed':
    '{provider} did not finish the sign-in. Try again later; if it stays, ask your administrator to check the app that is registered there.',
  'sign-in-not-configured':
    'Signing in with {provider} is not set up. Your administrator has to set {missing}.',
  'link-over': 'This link no longer works. Ask for a new one.',
  'request-full': 'No more files are taken here. Ask the person who sent you the link.',
  'upload-expired': 'The upload took too long and has to start over.',
  'changed-meanwhile': 'Somebody else has changed it meanwhile. Look at it again before you go on.',
  'body-too-large': 'That is too much at once. Send less.',
  'too-large': 'The file is too large: {mostBytes} at most. Make it smaller.',
  'unsupported-content-type': 'The server did not understand the request. Reload the page.',
  'unsupported-type': `This kind of file is not supported. Use ${types.or}.`,
  'range-not-satisfiable': 'That part of the file does not exist.',
  'unknown-expectation': 'The server did not understand the request. Reload the page.',
  'type-mismatch': 'The contents of the file are not what its type says. Export it again.',
  'size-mismatch': 'The file changed while it was uploaded. Add it again.',
  'checksum-mismatch': 'The file did not arrive as it was sent. Add it again.',
  'unreadable-media': 'The file is damaged and cannot be opened. Export it again.',
  'too-many-pixels': 'The picture has too many pixels to be opened. Scale it down.',
  'language-not-installed':
    'Words in pictures cannot be read here in: {languages}. Your administrator can install that.',
  'no-pictures': 'The video has no pictures in it. Export it again with its video track.',
  'encrypted-media':
    'The video is encrypted, and nobody can show it without its key. Export it without copy protection.',
  infected: 'Malware was found in the file, so it was removed. Send a clean one.',
  'refs-not-allowed': 'It may not be used there.',
  'target-refuses': 'The target does not take this file.',
  'cannot-remove': 'The target takes nothing back. Remove it there by hand.',
  'provenance-contradicted':
    'The file is signed as made by AI, and was not changed since. It cannot be said to be a photo.',
  'idempotency-key-reused': 'The request was sent twice with different contents. Try again.',
  'wrong-password': 'The password is not right.',
  'wrong-code': 'This does not fit, or was used already.',
  'weak-password': 'Choose at least 12 characters, and not a well-known password.',
  'too-many-attempts':
    'Too many attempts. Wait {minutes, plural, one {# minute} other {# minutes}} and try again.',
  'rate-limited': 'Too many requests at once. Go on in {seconds, plural, one {# second} other {# seconds}}.',
  'headers-too-large':
    'The browser sent too much beside the request. Delete this site’s cookies, then reload the page.',
  'internal-error': 'Something went wrong on the server. Try again, and tell your administrator if it stays.',
  'source-failed': 'The address did not give the file. Check it, or upload the file yourself.',
  'target-failed': 'The target did not answer as it should. Try again later, or test the connection.',
  'object-missing': 'The stored file is missing. Tell your administrator.',
  'secret-key-changed':
    'Some stored credentials were sealed with another key. Ask your administrator to set the old key, or enter the credentials again.',
  'storage-not-configured': 'Storage is not configured. Tell your administrator.',
  'storage-unavailable': 'Storage does not answer at the moment. Try again in a few seconds.',
  'database-unavailable': 'The database does not answer at the moment. Try again in a few seconds.',
  'scanner-unavailable':
    'The malware scanner does not answer at the moment, and nothing is taken without it. Nothing is lost: try again in a moment.',
  'suggestions-off':
    'No model may be asked about this client’s pictures. An administrator can allow it in the client’s settings.',
  'ai-limit-reached': 'The limit of a day is reached. Go on tomorrow.',
  'ai-failed': 'The AI did not answer as it should. Try again, or ask your administrator.',
  'ai-unavailable': 'The AI cannot be used at the moment. Try again later.',
  'media-busy': 'The server is busy making previews. Try again in a few seconds.',
} satisfies Record<ProblemCode, string>

export const fitReasons = {
  'below-seconds': '{target} asks for at least {limit} s; this has {value} s.',
  'above-seconds': '{target} takes up to {limit} s; this has {value} s.',
  'below-bytes': '{target} asks for at least {limit}; this has {value}.',
  'above-bytes': '{target} takes up to {limit}; this has {value}.',
  'below-bit-rate': '{target} asks for at least {limit} bits a second; this has {value}.',
  'above-bit-rate': '{target} takes up to {limit} bits a second; this has {value}.',
  'below-frame-rate': '{target} asks for at least {limit} frames a second; this has {value}.',
  'above-frame-rate': '{target} takes up to {limit} frames a second; this has {value}.',
  'below-width': '{target} asks for a width of at least {limit} pixels; this has {value}.',
  'above-width': '{target} takes a width of up to {limit} pixels; this has {value}.',
  'below-height': '{target} asks for a height of at least {limit} pixels; this has {value}.',
  'above-height': '{target} takes a height of up to {limit} pixels; this has {value}.',
  'below-short-edge': '{target} asks for at least {limit} pixels on the shorter side; this has {value}.',
  'above-short-edge': '{target} takes up to {limit} pixels on the shorter side; this has {value}.',
  'below-pixels': '{target} asks for at least {limit} pixels; this has {value}.',
  'above-pixels': '{target} takes up to {limit} pixels; this has {value}.',
  'below-ratio': '{target} takes nothing narrower than {limit} (width to height); this is {value}.',
  'above-ratio': '{target} takes nothing wider than {limit} (width to height); this is {value}.',
  'type-not-taken': '{target} does not take {type}.',
  'codec-not-taken': '{target} takes {codecs}; this has {codec}.',
  'too-small':
    '{target}: it would be {width} × {height} pixels; at least {needed, select, width {{minWidth} pixels of width} height {{minHeight} pixels of height} other {{minWidth} × {minHeight}}} are needed. Use a larger picture.',
  colours: 'Its colours are made sRGB.',
  'turned-upright': 'It is turned upright.',
  'camera-notes': 'What the camera wrote into the file does not go out.',
  'first-picture-only': 'Only the first of its pictures goes out: it does not move any more.',
  'origin-not-taken':
    '{target} asks for pictures taken with a camera and refuses stock pictures and ones made by AI. Choose a photo of the place.',
  'surface-not-allowed': 'It may not be used here: this surface is not ticked.',
  'rights-expired': 'The rights to it have ended. Choose another, or renew them.',
  'not-approved': 'It is not approved yet, and this client wants only what is.',
  'alt-text-too-long': '{target} takes up to {limit} characters of alt text; this has {value}. Shorten it.',
  cropped: 'It is cropped to {ratio}.',
  'film-not-cropped': 'Films are not cropped, and this one is not {ratio}.',
  'film-converted': 'It is converted to {codec}, {lines}.',
  'film-repacked': 'It is repacked; its pictures stay as they are.',
  'cut-out': 'Only {start} s to {end} s of it go out.',
  'index-last': '{target} wants the index of a film at its beginning.',
  'notes-in-film': 'What the camera wrote into the film does not go out.',
  'range-needed': '{target} takes up to {limit} s; this has {value} s. Choose a part of it.',
  'range-outside': 'The part must lie within the {seconds} s of the film.',
  'no-encoder':
    'The film would have to be converted, and this server has no encoder. Ask your administrator to install one.',
  'film-among-pictures': '{target} takes a film alone, not among others.',
  'too-many-pictures': '{target} takes up to {limit} in one post; these are {value}.',
  other: 'It cannot go as it is.',
} satisfies Record<FitCode, string>

export const refusals = {
  'not-found': 'It is no longer there.',
  trashed: 'It is in the trash. Restore it first.',
  'surface-not-allowed': 'It may not be used on this surface.',
  'rights-expired': 'The rights to it have ended.',
  'not-approved': 'It is not approved, and this client wants only what is. Have it approved first.',
  'provenance-not-allowed': 'Stock pictures and ones made by AI are refused there. Choose a photo.',
  'media-failed': 'Its file cannot be read. Replace it.',
  'target-refuses': 'The target does not take this file.',
  'range-needed': 'It is too long for the target. Choose a part of it.',
  'no-encoder': 'It would have to be converted, and this server has no encoder.',
} satisfies Record<RefusalCode, string>

/** The other two are told by what they name: a refusal or a problem. */
export type OutboundSentence = Exclude<OutboundCode, 'asset-not-usable' | 'problem'>

export const outboundReasons = {
  'address-not-http': 'Only addresses that start with https:// or http:// are called. Correct the address.',
  'address-not-public':
    '{host} is not a public address. If it is meant to be called, your administrator can allow it in the settings (OUTBOUND_ALLOW).',
  'login-in-the-clear': 'On the way to {host} anybody could read the password. Use its https address.',
  'name-not-found': '{host} is not known on the Internet. Check the address.',
  'connection-refused':
    'Nothing answers at {host}: the connection was refused. Check the address, or try again later.',
  'certificate-not-trusted':
    'The certificate of {host} is not trusted. It has to be renewed or corrected there.',
  'no-answer': '{host} did not answer in time. Try again later.',
  'line-cut': '{host} ended the connection before it had answered. Try again later.',
  'answer-too-long': '{host} answered with more than is read. Check the address.',
  unreachable: '{host} cannot be reached. Check the address, or try again later.',
  redirected: '{who} points to another address (answer {status}). Enter that one in the connection.',
  'slow-down': '{who} asks to be left alone for a while (answer {status}).',
  failed: '{who} answered with an error of its own (answer {status}).',
  refused: '{who} refused it (answer {status}).',
  'still-at-work': '{who} is still at work on it. It is looked at again.',
  'unreadable-answer': '{who} answered something that cannot be understood.',
  'login-missing':
    'The login of this connection is not stored here. Enter it on the connection, then try again.',
  'login-refused':
    '{who} refused the login. Check the user name, and make a new application password in the user’s profile there.',
  'login-not-seen':
    '{who} does not see us as logged in. Check the user name and the application password; if both are right, the web server there removes the login: ask the host to pass on the “Authorization” header.',
  'login-wall':
    'A login stands before the site, so {who} is not reached. Take the site out of maintenance or private mode, or let /wp-json/ pass.',
  'application-passwords-off':
    '{who} takes no application passwords. Switch them on for this user, in the security plugin as a rule.',
  'rest-api-closed':
    '{who} has closed its REST API. Open it for logged-in users in the plugin that closes it.',
  'security-page':
    'A page came instead of an answer: a security plugin or a firewall stands before {who}. Let requests of this server to /wp-json/ pass there.',
  'no-wordpress':
    'No WordPress answers at this address. Enter the address of the site itself, with its folder if it has one.',
  'too-large-there':
    '{who} takes no file as large as this (answer {status}). Have its limit for uploads raised, or deliver a smaller file.',
  'may-not-upload': 'The WordPress user may not upload files. Give it the role Author or a higher one.',
  'sign-in-needed': '{who} does not let the library in. Sign in again on the connection, then try again.',
  'app-not-known':
    '{who} does not know the app of this library. Your administrator can correct its id and secret in the settings.',
  'not-ours': 'What is there was not brought from here, so nothing was removed. Remove it there by hand.',
  'not-there': 'Somebody looked, and it is not there.',
  'words-not-set': 'The file is there, but its name and texts could not be set.',
  'cannot-tell': 'It was sent, but whether it arrived is not clear. Look there and say what you find.',
  'asker-may-not': 'Whoever asked for it may no longer deliver for this client. Try again.',
  'our-fault': 'Something went wrong on the server. It is tried again.',
} satisfies Record<OutboundSentence, string>

export const answerers = {
  ...vendors,
  receiver: 'The receiver',
  system: 'The other system',
} satisfies Record<Answerer, string>

export const disabled = {
  'switched-off': 'An administrator switched it off.',
  'gave-up': 'It was switched off because nothing got through for days.',
  gone: 'It was switched off because the receiver answered that it wants no more messages (410). Switch it on once the receiver is there again.',
} satisfies Record<DisabledCode, string>

export const rules = {
  required: 'This is needed.',
  minLength: 'It needs at least {limit, plural, one {# character} other {# characters}}.',
  maxLength: 'It may have {limit, plural, one {# character} other {# characters}} at most.',
  minimum: 'It must be at least {limit, number}.',
  maximum: 'It must be {limit, number} at most.',
  format: 'This is not written as it should be.',
  folderName: 'A folder’s name cannot contain “/” or invisible characters, or be “.” or “..”.',
  plain: 'There is an invisible character in it that turns the text around, or nothing to see. Type it anew.',
  loginAgain: 'Enter the login again: what is stored belongs to the address before.',
  other: 'This is not valid.',
} satisfies Record<FieldRule, string>
