-- append-only: identity_operation_log, identity_operation_log_seal, identity_operation_log_anchor, identity_login_log

create sequence identity_operation_log_id;
create table identity_operation_log (
  id bigint not null default nextval('identity_operation_log_id'),
  at timestamptz not null,
  trace_id text not null,
  duration_ms int not null,
  user_id bigint,
  op_no text,
  display_name text,
  role_code text,
  user_role_id bigint,
  api_client_id bigint,
  job_name text,
  menu_route_key text,
  call text not null,
  label text not null,
  kind text not null check (kind in ('WRITE', 'REVEAL', 'EXPORT', 'DOWNLOAD', 'IMPORT', 'AUTH', 'SYSTEM')),
  target_type text,
  target_id text,
  target_no text,
  target_ids jsonb not null,
  target_count int not null,
  diff jsonb not null,
  diff_truncated boolean not null default false,
  input jsonb not null,
  result_code text not null,
  message text,
  ip text,
  user_agent text,
  dataset_code text,
  page_token text,
  idempotency_key text,
  primary key (id, at),
  check (num_nonnulls(user_id, api_client_id, job_name) <= 1)
) partition by range (at);
alter sequence identity_operation_log_id owned by identity_operation_log.id;
create index identity_operation_log_at on identity_operation_log (at desc, id desc);
create index identity_operation_log_user on identity_operation_log (user_id, at desc);
create index identity_operation_log_target on identity_operation_log (target_type, target_id, at desc);
create index identity_operation_log_target_no on identity_operation_log (target_no, at desc) where target_no is not null;
create index identity_operation_log_call on identity_operation_log (call, at desc);
create index identity_operation_log_result on identity_operation_log (result_code, at desc);
create index identity_operation_log_trace on identity_operation_log (trace_id);

create table identity_operation_log_seal (
  seq bigint primary key,
  log_id bigint not null unique,
  log_at timestamptz not null,
  row_hash text not null,
  chain_hash text not null
);

create table identity_operation_log_anchor (
  id bigint generated always as identity primary key,
  day date not null unique,
  first_seq bigint,
  last_seq bigint,
  count bigint not null,
  chain_hash text not null,
  hmac text not null,
  file_id text,
  created_at timestamptz not null
);

create table identity_log_verify_run (
  id bigint generated always as identity primary key,
  from_day date not null,
  to_day date not null,
  state text not null check (state in ('RUNNING', 'OK', 'BROKEN')),
  checked bigint not null default 0,
  total bigint not null default 0,
  broken_seq bigint,
  broken_log_id bigint,
  broken_reason text,
  user_id bigint,
  display_name text,
  created_at timestamptz not null,
  finished_at timestamptz
);
create unique index identity_log_verify_run_one on identity_log_verify_run ((true)) where state = 'RUNNING';

create table identity_login_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  user_name text not null check (length(user_name) <= 64),
  user_id bigint,
  method text not null check (method in ('PASSWORD', 'SMS')),
  result text not null check (result in ('OK', 'BAD_PASSWORD', 'BAD_CODE', 'LOCKED', 'DISABLED', 'EXPIRED_TEMP', 'RATE')),
  ip text not null,
  user_agent text not null,
  device_label text not null default '',
  session_id bigint,
  abnormal jsonb not null
);
create index identity_login_log_at on identity_login_log (at desc, id desc);
create index identity_login_log_name on identity_login_log (user_name, at desc);
create index identity_login_log_user on identity_login_log (user_id, at desc);
create index identity_login_log_ip on identity_login_log (ip, at desc);

create function identity_refuse_rewriting() returns trigger language plpgsql as $$
begin
  raise exception 'table % is append-only', tg_table_name;
end $$;
create trigger identity_operation_log_fixed before update or delete on identity_operation_log
  for each row execute function identity_refuse_rewriting();
create trigger identity_operation_log_kept before truncate on identity_operation_log
  for each statement execute function identity_refuse_rewriting();
create trigger identity_operation_log_seal_fixed before update or delete on identity_operation_log_seal
  for each row execute function identity_refuse_rewriting();
create trigger identity_operation_log_seal_kept before truncate on identity_operation_log_seal
  for each statement execute function identity_refuse_rewriting();
create trigger identity_operation_log_anchor_fixed before update or delete on identity_operation_log_anchor
  for each row execute function identity_refuse_rewriting();
create trigger identity_operation_log_anchor_kept before truncate on identity_operation_log_anchor
  for each statement execute function identity_refuse_rewriting();
create trigger identity_login_log_fixed before update or delete on identity_login_log
  for each row execute function identity_refuse_rewriting();
create trigger identity_login_log_kept before truncate on identity_login_log
  for each statement execute function identity_refuse_rewriting();
