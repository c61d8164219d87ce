create table files_file_object (
  id bigint generated always as identity primary key,
  file_no text not null unique,
  purpose text not null,
  file_name text not null check (length(file_name) between 1 and 120),
  declared_type text not null,
  declared_size bigint not null check (declared_size > 0),
  declared_sha256 text check (declared_sha256 ~ '^[0-9a-f]{64}$'),
  detected_type text,
  size bigint check (size >= 0),
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  phash text check (phash ~ '^[0-9a-f]{16}$'),
  -- first 16 bits of phash: near duplicates are looked for within a bucket
  phash_bucket int,
  width int,
  height int,
  page_count int,
  duration_ms bigint,
  storage_key text not null,
  sensitive boolean not null,
  state text not null check (state in ('PENDING', 'CHECKING', 'READY', 'REJECTED', 'EXPIRED', 'DELETED')),
  reject_code text,
  reject_reason text,
  scan_state text not null check (scan_state in ('NONE', 'CLEAN', 'INFECTED')),
  source text not null check (source in ('UPLOAD', 'EXPORT', 'IMPORT_RESULT', 'SYSTEM', 'PUSH')),
  retain_until timestamptz,
  legal_hold boolean not null default false,
  encrypted boolean not null default false,
  checked_at timestamptz,
  deleted_at timestamptz,
  deleted_by bigint,
  bytes_removed_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  created_name text,
  check (state <> 'READY' or (sha256 is not null and size is not null and detected_type is not null)),
  check (state <> 'DELETED' or deleted_at is not null)
);
create index files_file_object_sha256 on files_file_object (sha256);
create index files_file_object_state on files_file_object (state, created_at);
create index files_file_object_creator on files_file_object (created_by, created_at);
create index files_file_object_phash on files_file_object (phash_bucket) where phash_bucket is not null;
create index files_file_object_key on files_file_object (storage_key);

create table files_upload_session (
  id bigint generated always as identity primary key,
  file_id bigint not null unique references files_file_object (id),
  part_size int not null check (part_size > 0),
  -- [{no, size, state}]
  parts jsonb not null,
  expires_at timestamptz not null,
  started_at timestamptz not null,
  session_id text,
  voided_at timestamptz
);
create index files_upload_session_session on files_upload_session (session_id) where voided_at is null;

create table files_file_link (
  id bigint generated always as identity primary key,
  file_id bigint not null references files_file_object (id),
  owner_type text not null,
  owner_id text not null,
  field text not null,
  linked_at timestamptz not null,
  unlinked_at timestamptz,
  unique (file_id, owner_type, owner_id, field)
);
create index files_file_link_owner on files_file_link (owner_type, owner_id);

create table files_rendition (
  id bigint generated always as identity primary key,
  file_id bigint not null references files_file_object (id),
  kind text not null check (kind in ('THUMB', 'WEB', 'PDF_PAGE')),
  page int not null default 0,
  storage_key text not null,
  content_type text not null,
  width int not null,
  height int not null,
  size bigint not null,
  created_at timestamptz not null,
  unique (file_id, kind, page)
);
