import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { AgentPermission } from '../../contract/agent-sign-in.ts'
import type {
  ApprovalState,
  Batch,
  MediaDetails,
  Provenance,
  ProxyState,
  Storyboard,
} from '../../contract/assets.ts'
import type { AuditAction, PrincipalKind } from '../../contract/audit.ts'
import type { BatchJob, BatchRefusal } from '../../contract/batches.ts'
import type { ConnectionKind } from '../../contract/connection-kinds.ts'
import type { Crops, FocalPoint } from '../../contract/crops.ts'
import type { DeliveryStatus } from '../../contract/deliveries.ts'
import type { EventData, EventType } from '../../contract/events.ts'
import type { FileEvidence } from '../../contract/evidence.ts'
import type { FilmRange } from '../../contract/film-range.ts'
import type { NotificationKind, NotificationWay } from '../../contract/notifications.ts'
import type { OcrLanguage } from '../../contract/ocr-languages.ts'
import type { DisabledCode, OutboundReason } from '../../contract/outbound-reasons.ts'
import type { Ratio } from '../../contract/ratios.ts'
import type { UseKind, UseStatus } from '../../contract/references.ts'
import type { AssetSearch } from '../../contract/search.ts'
import type { SignInProvider } from '../../contract/sign-in.ts'
import type {
  SentKind,
  SuggestedField,
  SuggestionMode,
  SuggestionRun,
  SuggestionStatus,
} from '../../contract/suggestions.ts'
import type { Language, Surface } from '../../contract/words.ts'

type Time = ColumnType<Date, Date | string, Date | string>
type MadeTime = ColumnType<Date, Date | string | undefined, Date | string>
type Json<T extends object> = JSONColumnType<T, string, string>
type Reason = ColumnType<OutboundReason | null, string | null, string | null>

export interface Schema {
  clients: ClientsTable
  client_counters: ClientCountersTable
  client_removals: ClientRemovalsTable
  users: UsersTable
  user_clients: { client_id: string; user_id: string }
  login_sessions: LoginSessionsTable
  login_links: LoginLinksTable
  login_steps: LoginStepsTable
  login_identities: LoginIdentitiesTable
  passkeys: PasskeysTable
  recovery_codes: { user_id: string; code_hash: string }
  login_attempts: { bucket: string; attempt: string | null; attempted_at: MadeTime }
  api_keys: ApiKeysTable
  api_key_clients: { client_id: string; key_id: string }
  agent_apps: AgentAppsTable
  agent_codes: AgentCodesTable
  agent_tokens: AgentTokensTable
  picker_tokens: PickerTokensTable
  idempotent_answers: IdempotentAnswersTable
  folders: FoldersTable
  collections: CollectionsTable
  collection_assets: {
    client_id: string
    collection_id: string
    asset_id: string
    place: number
    stands_for: string[] | null
  }
  assets: AssetsTable
  suggestions: SuggestionsTable
  suggestion_settings: SuggestionSettingsTable
  suggestion_days: { client_id: string; day: Date; asked: number }
  suggestion_runs: SuggestionRunsTable
  suggestion_wishes: { client_id: string; run_id: string; asset_id: string }
  upload_sessions: UploadSessionsTable
  asset_versions: AssetVersionsTable
  picture_texts: { client_id: string; asset_id: string; version: number; text: string; read_at: MadeTime }
  derived_files: DerivedFilesTable
  uses: UsesTable
  use_refs: UseRefsTable
  mcp_subscriptions: McpSubscriptionsTable
  events: EventsTable
  agent_runtimes: AgentRuntimesTable
  merged_assets: {
    client_id: string
    id: string
    into_id: string
    merged_at: MadeTime
    pins: Json<Record<string, number | null>> | null
  }
  kept_groups: {
    client_id: string
    id: string
    within: Generated<string | null>
    kept_at: MadeTime
    kept_by: string
  }
  kept_group_assets: { client_id: string; group_id: string; asset_id: string }
  asset_looks: { client_id: string; key_id: string; asset_id: string; hour: Date }
  ads_connections: AdsConnectionsTable
  connections: ConnectionsTable
  connection_sign_ins: ConnectionSignInsTable
  deliveries: DeliveriesTable
  pull_grants: PullGrantsTable
  saved_searches: SavedSearchesTable
  share_links: ShareLinksTable
  share_link_assets: {
    client_id: string
    share_link_id: string
    asset_id: string
    place: number
    stands_for: Generated<string[] | null>
  }
  share_link_visits: ShareLinkVisitsTable
  downloads: DownloadsTable
  download_files: DownloadFilesTable
  batches: BatchesTable
  batch_chunks: BatchChunksTable
  comments: CommentsTable
  comment_mentions: { client_id: string; comment_id: string; user_id: string }
  upload_requests: UploadRequestsTable
  guest_files: GuestFilesTable
  webhooks: WebhooksTable
  webhook_cursors: {
    client_id: string
    webhook_id: string
    event_id: number
    refusals: Generated<number>
    failures: Generated<number>
    failing_since: Time | null
    next_attempt_at: MadeTime
    last_error: string | null
    last_error_reason: Reason
    lease: string | null
    leased_until: Time | null
  }
  webhook_attempts: WebhookAttemptsTable
  webhook_set_aside: {
    webhook_id: string
    client_id: string
    event_id: number
    error: string
    reason: Reason
    set_aside_at: MadeTime
  }
  landing_pages: LandingPagesTable
  notifications: NotificationsTable
  notification_settings: { user_id: string; kind: NotificationKind; way: NotificationWay }
  notification_cursors: { client_id: string; event_id: number }
  audit_trail: AuditTrailTable
  scheduled_runs: ScheduledRunsTable
  job_workers: { id: string; host: string; beat_at: MadeTime }
}

export interface ClientsTable {
  id: string
  name: string
  quota_bytes: number
  approved_only_surfaces: Generated<Surface[]>
  /** Null: those of the installation. */
  ocr_languages: OcrLanguage[] | null
  created_at: MadeTime
  updated_at: MadeTime
}

export interface ClientCountersTable {
  client_id: string
  stored_bytes: Generated<number>
  reserved_bytes: Generated<number>
  last_event: Generated<number>
  /** Of those that change the tree of folders. */
  last_folder_event: Generated<number>
}

export interface ClientRemovalsTable {
  client_id: string
  asked_at: MadeTime
  asked_by: string
  finished_at: Time | null
  stored_bytes: number
  rows: JSONColumnType<Record<string, number>, string | undefined, string>
  objects: Generated<number>
  object_bytes: Generated<number>
  counted_to: Generated<string>
  look_again_at: Time | null
}

export interface UsersTable {
  id: string
  email: string
  name: string
  role: 'admin' | 'operator' | 'viewer' | 'client'
  is_active: Generated<boolean>
  all_clients: Generated<boolean>
  password_hash: string
  sessions_ended_at: Time | null
  language: Language | null
  must_change_password: Generated<boolean>
  totp_sealed: string | null
  /** Null until its app was proven to have the secret. */
  totp_since: Time | null
  /** The step of the last code that was used. */
  totp_last_step: number | null
  has_second_factor: Generated<boolean>
  created_at: MadeTime
  updated_at: MadeTime
}

export interface LoginSessionsTable {
  token_hash: string
  user_id: string
  id: Generated<string>
  /** How it was opened: with a password, a passkey, or at a provider. */
  method: Generated<string>
  is_strong: Generated<boolean>
  address: string | null
  user_agent: string | null
  created_at: MadeTime
  last_used_at: MadeTime
  expires_at: Time
}

export interface LoginStepsTable {
  token_hash: string
  purpose: 'second-factor' | 'passkey-sign-in' | 'passkey-new' | 'single-sign-on'
  user_id: string | null
  challenge: string
  /** How the step before was made. */
  method: Generated<string>
  attempts: Generated<number>
  expires_at: Time
}

export interface LoginIdentitiesTable {
  issuer: string
  subject: string
  user_id: string
  created_at: MadeTime
  last_used_at: MadeTime
}

export interface PasskeysTable {
  id: string
  user_id: string
  credential_id: string
  public_key: string
  counter: number
  transports: string[]
  name: string
  created_at: MadeTime
  last_used_at: Time | null
}

export interface LoginLinksTable {
  token_hash: string
  user_id: string
  purpose: 'reset' | 'invitation' | 'email'
  /** The one to be proven. */
  email: string | null
  created_at: MadeTime
  expires_at: Time
}

export interface ApiKeysTable {
  id: string
  name: string
  role: 'agent' | 'social-agent'
  /** Null for an agent that was signed in: then all of what follows `last_used_at` is set. */
  token_hash: string | null
  created_by: string
  created_at: MadeTime
  last_used_at: Time | null
  user_id: string | null
  permissions: AgentPermission[] | null
  app_id: string | null
  app_host: string | null
}

export interface AgentAppsTable {
  id: string
  name: string
  redirect_uris: string[]
  network: string
  created_at: MadeTime
  used_at: Time | null
}

export interface AgentCodesTable {
  code_hash: string
  key_id: string
  redirect_uri: string
  challenge: string
  expires_at: Time
  used_at: Time | null
}

export interface AgentTokensTable {
  token_hash: string
  key_id: string
  purpose: 'access' | 'refresh'
  expires_at: Time
  used_at: Time | null
}

export interface PickerTokensTable {
  token_hash: string
  session_hash: string
  client_id: string
  /** The origin of the page that shows the picker. */
  embedder: string
  created_at: MadeTime
  expires_at: Time
}

export interface IdempotentAnswersTable {
  principal_id: string
  key: string
  fingerprint: string
  sealed_answer: string | null
  client_id: string | null
  created_at: MadeTime
}

export interface FoldersTable {
  client_id: string
  id: string
  parent_id: string | null
  name: string
  name_key: string
  name_order: GeneratedAlways<string>
  revision: Generated<number>
  created_at: MadeTime
  updated_at: MadeTime
  trashed_at: Time | null
  trashed_with: string | null
}

export interface AssetsTable {
  client_id: string
  id: string
  folder_id: string | null
  title: string
  description: Generated<string>
  alt_text: Generated<string>
  tags: Generated<string[]>
  tag_keys: GeneratedAlways<string[]>
  allowed_surfaces: Generated<string[]>
  original_filename: string
  mime_type: string
  size_bytes: number
  sha256: string | null
  width: number | null
  height: number | null
  duration_seconds: number | null
  details: JSONColumnType<MediaDetails, string | undefined, string>
  /** What draws the eye, and what a person set instead. */
  focal_guess: Json<FocalPoint> | null
  focal_point: Json<FocalPoint> | null
  crops: JSONColumnType<Crops, string | undefined, string>
  /** What the bytes say. Null: nobody has looked yet. */
  evidence: Json<FileEvidence> | null
  version: Generated<number>
  media_state: Generated<'pending' | 'ready' | 'failed'>
  placeholder: string | null
  media_problem: string | null
  storyboard: Json<Storyboard> | null
  proxy_state: ProxyState | null
  proxy_problem: string | null
  perceptual_hash: string | null
  rights_expire_at: Time | null
  provenance: Generated<Provenance>
  approval: Generated<ApprovalState>
  search_text: Generated<string>
  revision: Generated<number>
  created_at: MadeTime
  created_by: string
  updated_at: MadeTime
  trashed_at: Time | null
  trashed_with: string | null
  held_at: Time | null
  held_by: string | null
  hold_reason: string | null
}

export interface UploadSessionsTable {
  client_id: string
  id: string
  token_hash: string
  asset_id: string
  replaces_asset: Generated<boolean>
  folder_id: string | null
  original_filename: string
  mime_type: string
  expected_size_bytes: number
  expected_sha256: string | null
  part_size_bytes: number | null
  in_parts: Generated<boolean>
  upload_request_id: string | null
  received_as: string | null
  status: Generated<'open' | 'finalized' | 'rejected' | 'expired' | 'aborted'>
  problem: Json<{ code: string; detail: string }> | null
  claim: string | null
  claimed_until: Time | null
  created_at: MadeTime
  created_by: string
  expires_at: Time
  urls_expire_at: Time
  sweep_at: Time
  swept: Generated<boolean>
}

export interface AssetVersionsTable {
  client_id: string
  asset_id: string
  version: number
  upload_id: string
  object_prefix: string
  original_filename: string
  mime_type: string
  size_bytes: number
  sha256: string | null
  crc32: number | null
  width: number | null
  height: number | null
  duration_seconds: number | null
  details: JSONColumnType<MediaDetails, string | undefined, string>
  focal_guess: Json<FocalPoint> | null
  /** Of some pictures there is none. */
  focal_tried: Generated<boolean>
  focal_point: Json<FocalPoint> | null
  crops: JSONColumnType<Crops, string | undefined, string>
  evidence: Json<FileEvidence> | null
  /** Null: not yet. */
  text_sought_in: string | null
  media_problem: string | null
  approval: Generated<ApprovalState>
  approval_by: string | null
  approval_guest: string | null
  approval_at: Time | null
  approval_note: Generated<string>
  created_at: MadeTime
  created_by: string
}

export interface DownloadsTable {
  client_id: string
  id: string
  name: string
  file_count: number
  expires_at: Time
  created_at: MadeTime
  created_by: string
}

export interface DownloadFilesTable {
  client_id: string
  download_id: string
  place: number
  asset_id: string
  version: number
  path: string[]
  crc32: number | null
}

export interface BatchesTable {
  client_id: string
  id: string
  change: Json<Omit<Batch, 'assetIds'>>
  undoes: string | null
  state: ColumnType<BatchJob['state'], BatchJob['state'] | undefined, BatchJob['state']>
  total: Generated<number>
  done: Generated<number>
  changed: Generated<number>
  refused: Generated<number>
  created_at: MadeTime
  created_by: string
  ended_at: Time | null
}

/** What a batch has changed of an asset. */
export interface KeptChange {
  id: string
  before: unknown
  after: unknown
  /** Of what was trashed, the folder that it was in. */
  wasIn?: string
  /** Of what was restored, how it had lain in the trash, and what it was merged into. */
  lay?: { folderId: string | null; leftIn: string | null; with: string | null }
  merge?: KeptMerge
}

export interface KeptMerge {
  into: string
  pins: Record<string, number | null> | null
  mergedAt: string
  /** That was current. */
  version: number
}

export interface BatchChunksTable {
  client_id: string
  batch_id: string
  number: number
  asset_ids: string[]
  done_at: Time | null
  changed: Json<KeptChange[]>
  refused: Json<BatchRefusal[]>
}

export interface SuggestionsTable {
  client_id: string
  id: string
  asset_id: string
  version: number
  field: SuggestedField
  words: string
  instead_of: string
  model: string
  status: ColumnType<SuggestionStatus, SuggestionStatus | undefined, SuggestionStatus>
  created_at: MadeTime
  decided_by: string | null
  decided_at: Time | null
}

export interface SuggestionSettingsTable {
  client_id: string
  mode: SuggestionMode
  host: string | null
  sends: SentKind[]
  language: string
  decided_by: string
  decided_at: MadeTime
}

export interface SuggestionRunsTable {
  client_id: string
  id: string
  state: ColumnType<SuggestionRun['state'], SuggestionRun['state'] | undefined, SuggestionRun['state']>
  total: Generated<number>
  done: Generated<number>
  made: Generated<number>
  failed: Generated<number>
  problem: ColumnType<SuggestionRun['problem'], string | null | undefined, string | null>
  created_at: MadeTime
  created_by: string
  ended_at: Time | null
  waits_until: Time | null
}

export interface CommentsTable {
  client_id: string
  id: string
  asset_id: string
  version: number
  thread_id: string | null
  words: string
  pin_x: number | null
  pin_y: number | null
  time_ms: number | null
  created_by: string
  guest_name: string | null
  created_at: MadeTime
  edited_at: Time | null
  resolved_at: Time | null
  resolved_by: string | null
}

export interface DerivedFilesTable {
  client_id: string
  asset_id: string
  version: number
  name: string
  mime_type: string | null
  size_bytes: number | null
  width: number | null
  height: number | null
  maker: string | null
  leased_until: Time
  progress: number | null
  problem: string | null
  wanted_until: Time | null
  made_at: Time | null
}

export interface UsesTable {
  client_id: string
  kind: UseKind
  external_id: string
  status: UseStatus
  scheduled_for: Time | null
  title: string | null
  url: string | null
  filed_asset_ids: Generated<string[]>
  created_at: MadeTime
  created_by: string
  updated_at: MadeTime
}

export interface UseRefsTable {
  client_id: string
  kind: UseKind
  external_id: string
  place: number
  asset_ref: string
  asset_id: string | null
}

export interface McpSubscriptionsTable {
  client_id: string
  key_id: string
  session_id: string
  asset_id: string
  last_event: number
  touched_at: MadeTime
}

export interface EventsTable {
  client_id: string
  id: number
  type: EventType
  subject: string
  actor: string
  data: Json<EventData>
  created_at: MadeTime
}

export interface AgentRuntimesTable {
  agent_id: string
  client_id: string
  key_id: string
  state: 'running' | 'idle' | 'stopped'
  current_job: string | null
  recent_runs: Json<object[]>
  heartbeat_at: MadeTime
}

export interface AdsConnectionsTable {
  client_id: string
  id: string
  provider: string
  status: string
  account: string | null
  scopes: Generated<string[]>
  expires_at: Time | null
  last_sync_at: Time | null
  last_error: string | null
  created_at: MadeTime
  updated_at: MadeTime
}

export interface LandingPagesTable {
  slug: string
  client_id: string
  url: string
  title: string
  updated_at: MadeTime
}

export interface ConnectionsTable {
  client_id: string
  id: string
  kind: ConnectionKind
  name: string
  settings: Json<Record<string, unknown>>
  sealed_secrets: string | null
  status: Generated<'untested' | 'connected' | 'error'>
  last_checked_at: Time | null
  last_error: string | null
  last_error_reason: Reason
  created_at: MadeTime
  created_by: string
  updated_at: MadeTime
  removed_at: Time | null
  signed_in_at: Time | null
  token_expires_at: Time | null
  renew_at: Time | null
  sign_in_until: Time | null
  renewal: string | null
  renewing_until: Time | null
}

export interface ConnectionSignInsTable {
  client_id: string
  connection_id: string
  state_hash: string
  session_hash: string
  provider: SignInProvider
  sealed_verifier: string
  expires_at: MadeTime
}

/** One of the further pictures of a post. */
export interface MoreOfPost {
  assetRef: string
  rendition: string
  /** As it was promised. */
  recipe: object | null
}

export interface DeliveriesTable {
  client_id: string
  id: string
  asset_id: string
  version: number
  connection_id: string
  rendition: string
  /** Of what is converted. */
  recipe: Json<object> | null
  /** Which part of a film, and which ratio, was asked for. */
  wanted: JSONColumnType<{ ratio?: Ratio; range?: FilmRange }, string | undefined, string>
  surface: string
  status: Generated<DeliveryStatus>
  attempts: Generated<number>
  mark: string
  filename: string | null
  sent_at: Time | null
  look_after: Time | null
  steps: JSONColumnType<Record<string, unknown>, string | undefined, string>
  sent_bytes: Generated<number>
  total_bytes: number | null
  remote_id: string | null
  remote_url: string | null
  last_error: string | null
  last_error_reason: Reason
  cancel_wanted: Generated<boolean>
  asked_by: string
  replaces: string | null
  post_text: string | null
  more: JSONColumnType<MoreOfPost[], string | undefined, string>
  post_key: Generated<string>
  claim: string | null
  claimed_until: Time | null
  created_at: MadeTime
  created_by: string
  updated_at: MadeTime
}

export interface PullGrantsTable {
  client_id: string
  id: string
  token_hash: string
  asset_id: string
  version: number
  surface: string
  target: string
  delivery_id: string | null
  mime_type: string
  size_bytes: number
  recipe: Json<object> | null
  expires_at: Time
  revoked_at: Time | null
  fetch_count: Generated<number>
  last_fetched_at: Time | null
  last_fetched_from: string | null
  created_at: MadeTime
  created_by: string
}

export interface SavedSearchesTable {
  client_id: string
  id: string
  /** Whose it is; everybody's without one. */
  user_id: string | null
  key_id: string | null
  name: string
  search: Json<AssetSearch>
  created_by: string
  created_at: MadeTime
  updated_at: MadeTime
}

export interface ShareLinksTable {
  client_id: string
  id: string
  token_hash: string
  title: string
  note: Generated<string>
  folder_id: string | null
  collection_id: ColumnType<string | null, string | null | undefined, string | null>
  password_hash: string | null
  allows: 'view' | 'download'
  files: 'original' | 'rendition'
  watermark: string | null
  allows_review: Generated<boolean>
  expires_at: Time
  revoked_at: Time | null
  open_count: Generated<number>
  last_opened_at: Time | null
  created_at: MadeTime
  created_by: string
}

export interface ShareLinkVisitsTable {
  id: GeneratedAlways<number>
  client_id: string
  share_link_id: string
  network: string
  browser: string
  visited_at: MadeTime
}

export interface CollectionsTable {
  client_id: string
  id: string
  name: string
  name_key: string
  name_order: GeneratedAlways<string>
  created_at: MadeTime
  created_by: string
  updated_at: MadeTime
  deleted_at: ColumnType<Date | null, Date | null | undefined, Date | null>
}

export interface UploadRequestsTable {
  client_id: string
  id: string
  token_hash: string
  title: string
  note: Generated<string>
  folder_id: string | null
  max_files: number
  max_bytes: number
  expires_at: Time
  revoked_at: Time | null
  created_at: MadeTime
  created_by: string
}

export interface GuestFilesTable {
  client_id: string
  upload_id: string
  sender: string
  note: string
  received_at: Time | null
  width: number | null
  height: number | null
  duration_seconds: number | null
  has_preview: Generated<boolean>
  scanned: Generated<boolean>
  declined_note: string | null
}

export interface WebhooksTable {
  id: string
  url: string
  all_clients: boolean
  event_types: Generated<string[]>
  sealed_secret: string
  previous_sealed_secret: string | null
  previous_secret_ends_at: Time | null
  is_enabled: Generated<boolean>
  disabled_reason: string | null
  disabled_code: DisabledCode | null
  next_attempt_at: MadeTime
  last_sent_at: Time | null
  created_at: MadeTime
  created_by: string
  updated_at: MadeTime
}

export interface WebhookAttemptsTable {
  id: GeneratedAlways<number>
  webhook_id: string
  client_id: string | null
  event_id: number | null
  type: string
  attempted_at: MadeTime
  milliseconds: number
  status: number | null
  error: string | null
  reason: Reason
  answer: string | null
}

export interface NotificationsTable {
  id: string
  user_id: string
  client_id: string
  kind: NotificationKind
  /** What happens again for the same cause is the same notification. */
  cause: string
  subject: string
  name: string | null
  count: number
  event_id: number
  created_at: MadeTime
  read_at: Time | null
  mailed_at: Time | null
}

export interface AuditTrailTable {
  at: MadeTime
  id: GeneratedAlways<number>
  client_id: string | null
  action: AuditAction
  thing: string | null
  name: string | null
  details: Json<Record<string, unknown>>
  principal_kind: PrincipalKind
  principal_id: string | null
  principal_name: string | null
  address: string | null
  user_agent: string | null
  request_id: string | null
}

export interface ScheduledRunsTable {
  name: string
  known_since: MadeTime
  last_succeeded_at: Time | null
  last_failed_at: Time | null
  last_error: string | null
}
