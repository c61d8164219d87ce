-- append-only: kernel_audit_trail

create table kernel_outbox (
  id bigint generated always as identity primary key,
  event_id uuid not null unique,
  name text not null,
  aggregate_id text not null,
  seq bigint not null,
  payload jsonb not null,
  at timestamptz not null,
  trace_id text not null,
  unique (name, aggregate_id, seq)
);

-- One row per registered consumer, written with the event: an event nobody consumes leaves none.
create table kernel_outbox_delivery (
  outbox_id bigint not null references kernel_outbox (id),
  consumer text not null,
  state text not null check (state in ('PENDING', 'DONE', 'FAILED')),
  attempts int not null default 0,
  next_try_at timestamptz not null,
  last_error text,
  done_at timestamptz,
  primary key (outbox_id, consumer)
);
create index kernel_outbox_delivery_due on kernel_outbox_delivery (next_try_at) where state = 'PENDING';
create index kernel_outbox_delivery_failed on kernel_outbox_delivery (outbox_id) where state = 'FAILED';

create table kernel_aggregate_seq (
  aggregate_type text not null,
  aggregate_id text not null,
  seq bigint not null,
  primary key (aggregate_type, aggregate_id)
);

create table kernel_idempotency (
  caller text not null,
  call text not null,
  key text not null check (length(key) between 8 and 100),
  body_hash text not null,
  envelope jsonb,
  at timestamptz not null,
  primary key (caller, call, key)
);
create index kernel_idempotency_at on kernel_idempotency (at);

create table kernel_audit_trail (
  id bigint generated always as identity primary key,
  target_type text not null,
  target_id text not null,
  machine text not null,
  action text not null,
  label text not null,
  from_state text,
  to_state text,
  opinion text,
  diff jsonb not null,
  at timestamptz not null,
  trace_id text not null,
  user_id bigint,
  op_no text,
  display_name text not null
);
create index kernel_audit_trail_target on kernel_audit_trail (target_type, target_id, id);

create table kernel_rate_counter (
  key text not null,
  window_start timestamptz not null,
  count int not null,
  primary key (key, window_start)
);
create index kernel_rate_counter_window on kernel_rate_counter (window_start);

create table kernel_number (
  prefix text not null,
  day date not null,
  last bigint not null,
  primary key (prefix, day)
);

create table kernel_lease (
  resource_type text not null,
  resource_id text not null,
  user_id bigint not null,
  display_name text not null,
  taken_at timestamptz not null,
  until timestamptz not null,
  primary key (resource_type, resource_id)
);
create index kernel_lease_user on kernel_lease (user_id);

-- Checksums of what code writes at start (reference data), and the check value of the master key.
create table kernel_setting (
  name text primary key,
  value text not null,
  at timestamptz not null
);

create table kernel_failed_job (
  id bigint generated always as identity primary key,
  job_id text not null,
  job_name text not null,
  label text not null,
  subject text,
  data jsonb not null,
  attempts int not null,
  error text not null,
  trace_id text not null,
  failed_at timestamptz not null,
  state text not null check (state in ('FAILED', 'RETRIED')),
  retried_at timestamptz,
  retried_by bigint
);
create index kernel_failed_job_at on kernel_failed_job (failed_at desc, id desc);
