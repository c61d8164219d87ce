create table files_export_task (
  id bigint generated always as identity primary key,
  task_no text not null unique,
  name text not null,
  source text not null,
  source_title text not null,
  route_key text not null,
  params jsonb not null,
  filter_text text not null,
  columns jsonb not null,
  scope_snapshot jsonb not null,
  user_role_id bigint not null,
  role_name text not null,
  request_hash text not null,
  format text not null check (format in ('XLSX', 'CSV', 'PDF', 'ZIP')),
  plain boolean not null default false,
  plain_reason text,
  state text not null check (state in ('QUEUED', 'RUNNING', 'SUCCESS', 'FAILED', 'CANCELLED', 'EXPIRED')),
  progress_bp int not null default 0 check (progress_bp between 0 and 10000),
  rows_done int not null default 0,
  rows_total int,
  queued_at timestamptz not null,
  started_at timestamptz,
  heartbeat_at timestamptz,
  finished_at timestamptz,
  -- attempts of the machinery within one request (a process that died), and retries by the operator
  attempt int not null default 0,
  retries int not null default 0,
  error_code text,
  error_message text,
  trace_id text not null,
  file_id bigint references files_file_object (id),
  row_count int,
  file_size bigint,
  download_count int not null default 0,
  last_download_at timestamptz,
  expires_at timestamptz,
  -- password of an encrypted result, encrypted; gone once shown
  password_cipher text,
  password_shown_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint not null,
  created_name text not null,
  check (not plain or length(plain_reason) >= 5),
  check (state <> 'SUCCESS' or (file_id is not null and expires_at is not null))
);
create index files_export_task_creator on files_export_task (created_by, created_at);
create index files_export_task_state on files_export_task (state, queued_at);
create unique index files_export_task_open on files_export_task (created_by, request_hash) where state in ('QUEUED', 'RUNNING');

create table files_export_column_preset (
  id bigint generated always as identity primary key,
  user_id bigint not null,
  source text not null,
  name text not null check (length(name) between 1 and 20),
  columns jsonb not null,
  updated_at timestamptz not null,
  unique (user_id, source, name)
);

create table files_import_task (
  id bigint generated always as identity primary key,
  batch_no text not null unique,
  importer_code text not null,
  importer_label text not null,
  template_version text not null,
  file_id bigint not null references files_file_object (id),
  file_name text not null,
  scope_key text not null,
  rows_hash text not null,
  params jsonb not null,
  mode text not null check (mode in ('ALL_OR_NOTHING', 'VALID_ONLY')),
  user_role_id bigint not null,
  total_rows int not null default 0,
  ok_rows int not null default 0,
  error_rows int not null default 0,
  error_cells int not null default 0,
  warn_rows int not null default 0,
  new_rows int not null default 0,
  changed_rows int not null default 0,
  same_rows int not null default 0,
  state text not null check (state in ('VALIDATING', 'INVALID', 'READY', 'COMMITTING', 'DONE', 'FAILED', 'CANCELLED', 'UNDONE')),
  progress_bp int not null default 0 check (progress_bp between 0 and 10000),
  rows_done int not null default 0,
  attempt int not null default 0,
  heartbeat_at timestamptz,
  validated_at timestamptz,
  error_code text,
  error_message text,
  trace_id text not null,
  result_file_id bigint references files_file_object (id),
  committed_at timestamptz,
  committed_by bigint,
  undone_at timestamptz,
  undone_by bigint,
  undo_reason text,
  undo_until timestamptz,
  rows_dropped_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint not null,
  created_name text not null,
  check (state <> 'DONE' or committed_at is not null),
  check (state <> 'UNDONE' or undone_at is not null)
);
create index files_import_task_creator on files_import_task (created_by, created_at);
create index files_import_task_state on files_import_task (state, created_at);
create unique index files_import_task_content on files_import_task (importer_code, scope_key, rows_hash) where state in ('COMMITTING', 'DONE');

-- Values are encrypted: an imported table holds what its domain keeps encrypted.
create table files_import_row (
  task_id bigint not null references files_import_task (id),
  row_no int not null,
  raw_cipher text not null,
  parsed_cipher text not null,
  before_cipher text,
  action text not null check (action in ('NEW', 'CHANGE', 'SAME', 'ERROR')),
  has_warning boolean not null default false,
  target_id text,
  target_version int,
  primary key (task_id, row_no)
);
create index files_import_row_action on files_import_row (task_id, action, row_no);

create table files_import_cell_error (
  id bigint generated always as identity primary key,
  task_id bigint not null references files_import_task (id),
  row_no int not null,
  column_key text not null,
  column_letter text not null,
  column_label text not null,
  value text not null check (length(value) <= 80),
  severity text not null check (severity in ('ERROR', 'WARN')),
  message text not null
);
create index files_import_cell_error_task on files_import_cell_error (task_id, row_no);
