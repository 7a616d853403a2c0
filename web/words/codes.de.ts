import { vendors } from '../../contract/connection-kinds.ts'
import type { FitCode } from '../../contract/fit-reasons.ts'
import type { Answerer, DisabledCode } from '../../contract/outbound-reasons.ts'
import type { ProblemCode } from '../../contract/problems.ts'
import type { RefusalCode } from '../../contract/references.ts'
import type { OutboundSentence } from './codes.en.ts'
import type { FieldRule } from './rules.ts'
import { typesIn } from './types.ts'

const types = typesIn('de')

export const problemCodes = {
  'invalid-request': 'Etwas daran ist nicht gültig. Prüfen Sie Ihre Eingaben.',
  'invalid-client':
    'Der Agent, der Sie hierher geschickt hat, ist nicht bekannt. Verbinden Sie ihn dort neu, wo Sie ihn verwenden.',
  'invalid-client-metadata':
    'Was der Agent über sich sagt, ist nicht gültig. Geben Sie denen Bescheid, die ihn herstellen.',
  'invalid-redirect-uri':
    'Der Agent will Ihre Antwort an eine Adresse senden lassen, die nicht seine ist. Machen Sie nicht weiter, und geben Sie der Administration Bescheid.',
  'invalid-target': 'Der Agent bittet um Zugriff auf etwas, das nicht diese Bibliothek ist.',
  'invalid-grant': 'Der Zugriff dieses Agenten ist beendet. Verbinden Sie ihn neu.',
  'temporarily-unavailable': 'Dieser Agent wartet, bis seine Person wieder hereinkommt.',
  'unsupported-grant-type': 'Der Agent bittet auf eine Weise um Zugriff, die hier nicht bekannt ist.',
  unauthenticated: 'Ihre Sitzung ist abgelaufen. Melden Sie sich wieder an.',
  'password-needed': 'Dieser Link hat ein Passwort. Geben Sie das ein, das Sie erhalten haben.',
  'wrong-login': 'E-Mail oder Passwort ist falsch, oder dieser Zugang ist abgeschaltet.',
  forbidden: 'Das dürfen Sie nicht. Bitten Sie die Administration um Zugriff.',
  'password-change-needed': 'Wählen Sie zuerst unter „Ihr Konto“ ein eigenes Passwort.',
  'second-factor-needed': 'Richten Sie zuerst unter „Ihr Konto“ einen zweiten Faktor ein.',
  'no-role':
    '{provider} kennt Sie, gibt Ihnen hier aber keine Rolle, die etwas öffnet. Fragen Sie Ihre Administration.',
  'no-account':
    '{provider} kennt Sie, aber hier gibt es kein Konto für Sie. Bitten Sie Ihre Administration um eines.',
  'email-not-verified':
    '{provider} hat Ihre E-Mail-Adresse nicht bestätigt. Lassen Sie sie dort bestätigen und melden Sie sich erneut an.',
  'embedding-not-allowed':
    'Diese Seite darf die Bibliothek nicht zeigen. Ein Administrator kann sie in den Einstellungen nennen.',
  'cross-site':
    'Die Anfrage kam von einer anderen Website. Öffnen Sie die Bibliothek selbst und versuchen Sie es erneut.',
  'folder-protected':
    '„{path}“ wird vom Social-Agenten verwaltet: Der Ordner lässt sich hier weder umbenennen noch verschieben oder löschen, und kein Ordner lässt sich hineinlegen.',
  'not-found': 'Das gibt es nicht mehr.',
  'upload-not-found': 'Dieser Upload ist nicht mehr bekannt. Fügen Sie die Datei erneut hinzu.',
  'request-timeout': 'Die Anfrage kam nicht rechtzeitig an. Versuchen Sie es erneut.',
  'file-not-uploaded': 'Die Datei ist noch nicht vollständig angekommen. Versuchen Sie es erneut.',
  'finalize-in-progress': 'Der Upload wird gerade abgeschlossen. Warten Sie einen Moment.',
  'upload-finalized': 'Dieser Upload ist schon in der Bibliothek.',
  'quota-exceeded':
    'Dafür ist kein Platz: {usedBytes} von {quotaBytes} sind belegt. Löschen Sie, was nicht gebraucht wird, oder bitten Sie die Administration um mehr Platz.',
  'folder-name-taken': 'Hier gibt es schon einen Ordner „{name}“. Wählen Sie einen anderen Namen.',
  'folder-cycle': 'Ein Ordner lässt sich nicht in sich selbst oder in einen seiner Unterordner verschieben.',
  'folder-too-deep':
    'Ordner lassen sich höchstens {most} Ebenen tief verschachteln. Wählen Sie einen Ort weiter oben.',
  'search-name-taken': 'Es gibt schon eine gespeicherte Suche „{name}“. Wählen Sie einen anderen Namen.',
  'too-many-searches': 'Es gibt schon zu viele gespeicherte Suchen. Löschen Sie zuerst eine.',
  'too-many-agents': 'Es gibt schon zu viele Agenten. Trennen Sie zuerst einen.',
  'collection-name-taken': 'Es gibt schon eine Sammlung „{name}“. Wählen Sie einen anderen Namen.',
  'too-many-collections':
    'Es gibt schon {most, number} Sammlungen; mehr gehen nicht. Löschen Sie eine, die nicht gebraucht wird.',
  'collection-full':
    'In einer Sammlung ist Platz für {most, number} Dateien. Legen Sie eine weitere an, oder nehmen Sie einige heraus.',
  'too-many-folders':
    'Es gibt schon {most, number} Ordner, die im Papierkorb mitgezählt; mehr gehen nicht. Löschen Sie einige endgültig, oder verwenden Sie Schlagwörter.',
  'in-use': 'Es wird anderswo noch gebraucht und bleibt deshalb.',
  'no-surface-in-common':
    '„{title}“ und „{name}“ sind auf verschiedene Kanäle beschränkt: Keiner bliebe übrig. Ändern Sie das zuerst, oder behalten Sie beide.',
  'not-trashed': 'Nur was im Papierkorb liegt, lässt sich endgültig löschen. Legen Sie es zuerst dorthin.',
  'current-version': 'Das ist die Version, die jetzt gilt. Machen Sie zuerst eine andere zur aktuellen.',
  'legal-hold':
    '„{title}“ ist rechtlich gesperrt ({reason}). Nichts davon lässt sich entfernen, bis die Administration die Sperre aufhebt.',
  'identity-taken': 'Diese Anmeldung gehört hier zu einem anderen Konto.',
  'last-way-in':
    'Sie kämen dann nicht mehr herein. Fügen Sie zuerst einen Passkey hinzu, oder lassen Sie sich einladen, ein Passwort zu wählen.',
  'email-taken': 'Diese E-Mail-Adresse ist schon vergeben.',
  'connection-error':
    'Diese Verbindung hat beim letzten Versuch nicht funktioniert; deshalb geht nichts Neues dorthin. Testen Sie sie zuerst.',
  'batch-running': 'Das läuft noch. Halten Sie es an, oder warten Sie das Ende ab.',
  'delivery-state': 'Die Auslieferung ist inzwischen weiter. Sehen Sie noch einmal nach.',
  'sign-in-over':
    'Diese Anmeldung hat zu lange gedauert, wurde schon benutzt oder in einem anderen Browser begonnen. Beginnen Sie neu.',
  'sign-in-declined':
    '{provider} sollte die Bibliothek nicht hineinlassen; es hat sich nichts geändert. Melden Sie sich erneut an, wenn Sie so weit sind.',
  'sign-in-incomplete':
    '{provider} hat nicht alles erlaubt, was gebraucht wird. Melden Sie sich mit einem Zugang an, der dieses Konto verwaltet, und erlauben Sie alles, wonach gefragt wird.',
  'sign-in-failed':
    '{provider} hat die Anmeldung nicht abgeschlossen. Versuchen Sie es später erneut; bleibt es dabei, bitten Sie Ihre Administration, die dort registrierte App zu prüfen.',
  'sign-in-not-configured':
    'Die Anmeldung bei {provider} ist nicht eingerichtet. Ihre Administration muss {missing} setzen.',
  'link-over': 'Dieser Link gilt nicht mehr. Fordern Sie einen neuen an.',
  'request-full':
    'Hier werden keine weiteren Dateien angenommen. Fragen Sie die Person, von der Sie den Link haben.',
  'upload-expired': 'Der Upload hat zu lange gedauert und muss von vorn beginnen.',
  'changed-meanwhile': 'Jemand anders hat es inzwischen geändert. Sehen Sie es an, bevor Sie weitermachen.',
  'body-too-large': 'Das ist zu viel auf einmal. Senden Sie weniger.',
  'too-large': 'Die Datei ist zu groß: höchstens {mostBytes}. Verkleinern Sie sie.',
  'unsupported-content-type': 'Der Server hat die Anfrage nicht verstanden. Laden Sie die Seite neu.',
  'unsupported-type': `Diese Art von Datei wird nicht unterstützt. Verwenden Sie ${types.or}.`,
  'range-not-satisfiable': 'Diesen Teil der Datei gibt es nicht.',
  'unknown-expectation': 'Der Server hat die Anfrage nicht verstanden. Laden Sie die Seite neu.',
  'type-mismatch': 'Der Inhalt der Datei passt nicht zu ihrem Typ. Exportieren Sie sie neu.',
  'size-mismatch': 'Die Datei hat sich während des Uploads geändert. Fügen Sie sie erneut hinzu.',
  'checksum-mismatch': 'Die Datei kam nicht so an, wie sie gesendet wurde. Fügen Sie sie erneut hinzu.',
  'unreadable-media': 'Die Datei ist beschädigt und lässt sich nicht öffnen. Exportieren Sie sie neu.',
  'too-many-pixels': 'Das Bild hat zu viele Pixel, um geöffnet zu werden. Verkleinern Sie es.',
  'language-not-installed':
    'Text in Bildern kann hier nicht gelesen werden auf: {languages}. Ihr Administrator kann das installieren.',
  'no-pictures': 'Das Video enthält keine Bilder. Exportieren Sie es neu, mit seiner Videospur.',
  'encrypted-media':
    'Das Video ist verschlüsselt und lässt sich ohne seinen Schlüssel nicht zeigen. Exportieren Sie es ohne Kopierschutz.',
  infected: 'In der Datei wurde Schadsoftware gefunden; sie wurde entfernt. Senden Sie eine saubere.',
  'refs-not-allowed': 'Es darf dort nicht verwendet werden.',
  'target-refuses': 'Das Ziel nimmt diese Datei nicht an.',
  'cannot-remove': 'Das Ziel nimmt nichts zurück. Entfernen Sie es dort von Hand.',
  'provenance-contradicted':
    'Die Datei ist als von KI erzeugt signiert und seither unverändert. Sie lässt sich nicht als Foto ausgeben.',
  'idempotency-key-reused':
    'Die Anfrage wurde zweimal mit verschiedenem Inhalt gesendet. Versuchen Sie es erneut.',
  'wrong-password': 'Das Passwort stimmt nicht.',
  'wrong-code': 'Das passt nicht oder wurde schon benutzt.',
  'weak-password': 'Wählen Sie mindestens 12 Zeichen und kein allgemein bekanntes Passwort.',
  'too-many-attempts':
    'Zu viele Versuche. Warten Sie {minutes, plural, one {# Minute} other {# Minuten}} und versuchen Sie es erneut.',
  'rate-limited':
    'Zu viele Anfragen auf einmal. Weiter geht es in {seconds, plural, one {# Sekunde} other {# Sekunden}}.',
  'headers-too-large':
    'Der Browser hat zu viel mitgeschickt. Löschen Sie die Cookies dieser Seite und laden Sie sie neu.',
  'internal-error':
    'Auf dem Server ist etwas schiefgegangen. Versuchen Sie es erneut, und sagen Sie der Administration Bescheid, wenn es so bleibt.',
  'source-failed':
    'Die Adresse hat die Datei nicht geliefert. Prüfen Sie sie, oder laden Sie die Datei selbst hoch.',
  'target-failed':
    'Das Ziel hat nicht so geantwortet, wie es sollte. Versuchen Sie es später erneut, oder prüfen Sie die Verbindung.',
  'object-missing': 'Die gespeicherte Datei fehlt. Sagen Sie der Administration Bescheid.',
  'secret-key-changed':
    'Gespeicherte Zugangsdaten wurden mit einem anderen Schlüssel versiegelt. Bitten Sie Ihre Administration, den alten Schlüssel zu setzen, oder geben Sie die Zugangsdaten neu ein.',
  'storage-not-configured': 'Der Speicher ist nicht eingerichtet. Sagen Sie der Administration Bescheid.',
  'storage-unavailable': 'Der Speicher antwortet gerade nicht. Versuchen Sie es in ein paar Sekunden erneut.',
  'database-unavailable':
    'Die Datenbank antwortet gerade nicht. Versuchen Sie es in ein paar Sekunden erneut.',
  'scanner-unavailable':
    'Der Virenscanner antwortet gerade nicht, und ohne ihn wird nichts angenommen. Nichts ist verloren: Versuchen Sie es gleich erneut.',
  'suggestions-off':
    'Zu Bildern dieses Kunden darf kein Modell befragt werden. Die Administration kann es in den Einstellungen des Kunden erlauben.',
  'ai-limit-reached': 'Die Grenze für einen Tag ist erreicht. Machen Sie morgen weiter.',
  'ai-failed':
    'Die KI hat nicht so geantwortet, wie sie sollte. Versuchen Sie es erneut, oder fragen Sie Ihre Administration.',
  'ai-unavailable': 'Die KI ist gerade nicht zu erreichen. Versuchen Sie es später erneut.',
  'media-busy':
    'Der Server ist mit Vorschaubildern beschäftigt. Versuchen Sie es in ein paar Sekunden erneut.',
} satisfies Record<ProblemCode, string>

export const fitReasons = {
  'below-seconds': '{target} verlangt mindestens {limit} s; dies hat {value} s.',
  'above-seconds': '{target} nimmt höchstens {limit} s; dies hat {value} s.',
  'below-bytes': '{target} verlangt mindestens {limit}; dies hat {value}.',
  'above-bytes': '{target} nimmt höchstens {limit}; dies hat {value}.',
  'below-bit-rate': '{target} verlangt mindestens {limit} Bit pro Sekunde; dies hat {value}.',
  'above-bit-rate': '{target} nimmt höchstens {limit} Bit pro Sekunde; dies hat {value}.',
  'below-frame-rate': '{target} verlangt mindestens {limit} Bilder pro Sekunde; dies hat {value}.',
  'above-frame-rate': '{target} nimmt höchstens {limit} Bilder pro Sekunde; dies hat {value}.',
  'below-width': '{target} verlangt mindestens {limit} Pixel Breite; dies hat {value}.',
  'above-width': '{target} nimmt höchstens {limit} Pixel Breite; dies hat {value}.',
  'below-height': '{target} verlangt mindestens {limit} Pixel Höhe; dies hat {value}.',
  'above-height': '{target} nimmt höchstens {limit} Pixel Höhe; dies hat {value}.',
  'below-short-edge': '{target} verlangt mindestens {limit} Pixel an der kürzeren Seite; dies hat {value}.',
  'above-short-edge': '{target} nimmt höchstens {limit} Pixel an der kürzeren Seite; dies hat {value}.',
  'below-pixels': '{target} verlangt mindestens {limit} Pixel; dies hat {value}.',
  'above-pixels': '{target} nimmt höchstens {limit} Pixel; dies hat {value}.',
  'below-ratio': '{target} nimmt nichts Schmaleres als {limit} (Breite zu Höhe); dies ist {value}.',
  'above-ratio': '{target} nimmt nichts Breiteres als {limit} (Breite zu Höhe); dies ist {value}.',
  'type-not-taken': '{target} nimmt kein {type}.',
  'codec-not-taken': '{target} nimmt {codecs}; dies hat {codec}.',
  'too-small':
    '{target}: Es würde {width} × {height} Pixel groß; mindestens {needed, select, width {{minWidth} Pixel Breite} height {{minHeight} Pixel Höhe} other {{minWidth} × {minHeight}}} sind nötig. Verwenden Sie ein größeres Bild.',
  colours: 'Seine Farben werden in sRGB umgerechnet.',
  'turned-upright': 'Es wird aufrecht gedreht.',
  'camera-notes': 'Was die Kamera in die Datei geschrieben hat, geht nicht mit hinaus.',
  'first-picture-only': 'Nur das erste seiner Bilder geht hinaus: Es bewegt sich nicht mehr.',
  'origin-not-taken':
    '{target} verlangt Bilder aus einer Kamera und nimmt weder Stockbilder noch von KI erzeugte. Wählen Sie ein Foto des Ortes.',
  'surface-not-allowed': 'Es darf hier nicht verwendet werden: Dieser Kanal ist nicht angekreuzt.',
  'rights-expired': 'Die Rechte daran sind abgelaufen. Nehmen Sie ein anderes, oder verlängern Sie sie.',
  'not-approved': 'Es ist noch nicht freigegeben, und dieser Kunde möchte nur Freigegebenes.',
  'alt-text-too-long':
    '{target} nimmt Alternativtexte bis {limit} Zeichen; dieser hat {value}. Kürzen Sie ihn.',
  cropped: 'Es wird auf {ratio} zugeschnitten.',
  'film-not-cropped': 'Filme werden nicht zugeschnitten, und dieser hat nicht {ratio}.',
  'film-converted': 'Es wird in {codec}, {lines} umgewandelt.',
  'film-repacked': 'Es wird umgepackt; seine Bilder bleiben, wie sie sind.',
  'cut-out': 'Nur {start} s bis {end} s davon gehen hinaus.',
  'index-last': '{target} verlangt das Inhaltsverzeichnis eines Films an dessen Anfang.',
  'notes-in-film': 'Was die Kamera in den Film geschrieben hat, geht nicht mit hinaus.',
  'range-needed': '{target} nimmt höchstens {limit} s; dies hat {value} s. Wählen Sie einen Ausschnitt.',
  'range-outside': 'Der Ausschnitt muss innerhalb der {seconds} s des Films liegen.',
  'no-encoder':
    'Der Film müsste umgewandelt werden, und dieser Server hat keinen Encoder. Bitten Sie Ihre Administration, einen zu installieren.',
  'film-among-pictures': '{target} nimmt einen Film nur allein, nicht unter anderen.',
  'too-many-pictures': '{target} nimmt bis zu {limit} in einem Beitrag; dies sind {value}.',
  other: 'So, wie es ist, kann es nicht hinaus.',
} satisfies Record<FitCode, string>

export const refusals = {
  'not-found': 'Es ist nicht mehr da.',
  trashed: 'Es liegt im Papierkorb. Stellen Sie es zuerst wieder her.',
  'surface-not-allowed': 'Es darf auf diesem Kanal nicht verwendet werden.',
  'not-approved':
    'Es ist nicht freigegeben, und dieser Kunde möchte nur Freigegebenes. Lassen Sie es zuerst freigeben.',
  'rights-expired': 'Die Rechte daran sind abgelaufen.',
  'provenance-not-allowed':
    'Stockbilder und von KI erzeugte Bilder werden dort abgelehnt. Wählen Sie ein Foto.',
  'media-failed': 'Seine Datei lässt sich nicht lesen. Ersetzen Sie sie.',
  'target-refuses': 'Das Ziel nimmt diese Datei nicht an.',
  'range-needed': 'Es ist zu lang für das Ziel. Wählen Sie einen Ausschnitt.',
  'no-encoder': 'Es müsste umgewandelt werden, und dieser Server hat keinen Encoder.',
} satisfies Record<RefusalCode, string>

export const outboundReasons = {
  'address-not-http':
    'Nur Adressen, die mit https:// oder http:// beginnen, werden aufgerufen. Korrigieren Sie die Adresse.',
  'address-not-public':
    '{host} ist keine öffentliche Adresse. Soll sie aufgerufen werden, kann Ihre Administration sie in den Einstellungen erlauben (OUTBOUND_ALLOW).',
  'login-in-the-clear':
    'Auf dem Weg zu {host} könnte jeder das Passwort mitlesen. Verwenden Sie die https-Adresse.',
  'name-not-found': '{host} ist im Internet nicht bekannt. Prüfen Sie die Adresse.',
  'connection-refused':
    'Unter {host} antwortet nichts: Die Verbindung wurde abgelehnt. Prüfen Sie die Adresse, oder versuchen Sie es später erneut.',
  'certificate-not-trusted':
    'Dem Zertifikat von {host} wird nicht vertraut. Es muss dort erneuert oder berichtigt werden.',
  'no-answer': '{host} hat nicht rechtzeitig geantwortet. Versuchen Sie es später erneut.',
  'line-cut': '{host} hat die Verbindung beendet, bevor eine Antwort da war. Versuchen Sie es später erneut.',
  'answer-too-long': '{host} hat mehr geantwortet, als gelesen wird. Prüfen Sie die Adresse.',
  unreachable: '{host} ist nicht erreichbar. Prüfen Sie die Adresse, oder versuchen Sie es später erneut.',
  redirected:
    '{who} verweist auf eine andere Adresse (Antwort {status}). Tragen Sie diese in der Verbindung ein.',
  'slow-down': '{who} bittet um eine Pause (Antwort {status}).',
  failed: '{who} hat mit einem eigenen Fehler geantwortet (Antwort {status}).',
  refused: '{who} hat es abgelehnt (Antwort {status}).',
  'still-at-work': '{who} arbeitet noch daran. Es wird wieder nachgesehen.',
  'unreadable-answer': '{who} hat etwas geantwortet, das sich nicht verstehen lässt.',
  'login-missing':
    'Die Anmeldung dieser Verbindung ist hier nicht gespeichert. Geben Sie sie an der Verbindung ein und versuchen Sie es erneut.',
  'login-refused':
    '{who} hat die Anmeldung abgelehnt. Prüfen Sie den Benutzernamen, und legen Sie dort im Profil des Benutzers ein neues Anwendungspasswort an.',
  'login-not-seen':
    '{who} erkennt die Anmeldung nicht an. Prüfen Sie Benutzernamen und Anwendungspasswort; stimmen beide, entfernt der Webserver dort die Anmeldung: Bitten Sie den Hoster, die Kopfzeile „Authorization“ weiterzugeben.',
  'login-wall':
    'Vor der Website steht eine Anmeldung, deshalb ist {who} nicht erreichbar. Beenden Sie dort den Wartungs- oder Privatmodus, oder lassen Sie /wp-json/ durch.',
  'application-passwords-off':
    '{who} nimmt keine Anwendungspasswörter an. Schalten Sie sie für diesen Benutzer ein, meist im Sicherheits-Plugin.',
  'rest-api-closed':
    '{who} hat seine REST-Schnittstelle geschlossen. Öffnen Sie sie für angemeldete Benutzer in dem Plugin, das sie schließt.',
  'security-page':
    'Statt einer Antwort kam eine Seite: Vor {who} steht ein Sicherheits-Plugin oder eine Firewall. Lassen Sie dort Anfragen dieses Servers an /wp-json/ durch.',
  'no-wordpress':
    'Unter dieser Adresse antwortet kein WordPress. Geben Sie die Adresse der Website selbst ein, mit ihrem Ordner, falls sie einen hat.',
  'too-large-there':
    '{who} nimmt keine so große Datei an (Antwort {status}). Lassen Sie die Grenze für Uploads anheben, oder liefern Sie eine kleinere Datei.',
  'may-not-upload':
    'Der WordPress-Benutzer darf keine Dateien hochladen. Geben Sie ihm die Rolle Autor oder eine höhere.',
  'sign-in-needed':
    '{who} lässt die Bibliothek nicht hinein. Melden Sie sich in der Verbindung neu an, und versuchen Sie es dann erneut.',
  'app-not-known':
    '{who} kennt die App dieser Bibliothek nicht. Ihre Administration kann Kennung und Geheimnis in den Einstellungen berichtigen.',
  'not-ours':
    'Was dort liegt, wurde nicht von hier gebracht; es wurde deshalb nichts entfernt. Entfernen Sie es dort von Hand.',
  'not-there': 'Jemand hat nachgesehen, und es ist nicht dort.',
  'words-not-set': 'Die Datei ist dort, aber Name und Texte ließen sich nicht setzen.',
  'cannot-tell':
    'Es wurde gesendet, aber ob es ankam, ist unklar. Sehen Sie dort nach, und sagen Sie, was Sie finden.',
  'asker-may-not':
    'Wer darum gebeten hat, darf für diesen Kunden nicht mehr ausliefern. Versuchen Sie es erneut.',
  'our-fault': 'Auf dem Server ist etwas schiefgegangen. Es wird erneut versucht.',
} satisfies Record<OutboundSentence, string>

export const answerers = {
  ...vendors,
  receiver: 'Der Empfänger',
  system: 'Das andere System',
} satisfies Record<Answerer, string>

export const disabled = {
  'switched-off': 'Von der Administration abgeschaltet.',
  'gave-up': 'Abgeschaltet, weil tagelang nichts durchkam.',
  gone: 'Abgeschaltet, weil der Empfänger antwortete, dass er keine Nachrichten mehr will (410). Schalten Sie ihn ein, sobald der Empfänger wieder da ist.',
} satisfies Record<DisabledCode, string>

export const rules = {
  required: 'Das wird gebraucht.',
  minLength: 'Es braucht mindestens {limit, plural, one {# Zeichen} other {# Zeichen}}.',
  maxLength: 'Es darf höchstens {limit, plural, one {# Zeichen} other {# Zeichen}} haben.',
  minimum: 'Es muss mindestens {limit, number} sein.',
  maximum: 'Es darf höchstens {limit, number} sein.',
  format: 'Das ist nicht so geschrieben, wie es sein soll.',
  folderName:
    'Ein Ordnername darf weder „/“ noch unsichtbare Zeichen enthalten und nicht „.“ oder „..“ lauten.',
  plain:
    'Darin ist ein unsichtbares Zeichen, das den Text umdreht, oder nichts Sichtbares. Bitte neu eintippen.',
  loginAgain: 'Geben Sie die Zugangsdaten noch einmal ein: Gespeichert sind die für die bisherige Adresse.',
  other: 'Das ist nicht gültig.',
} satisfies Record<FieldRule, string>
