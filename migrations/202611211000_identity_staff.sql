-- append-only: identity_password_history
create extension if not exists btree_gist;
create extension if not exists pg_trgm;

create table identity_staff_user (
  id bigint generated always as identity primary key,
  user_name text not null check (user_name ~ '^[a-zA-Z][a-zA-Z0-9_.]{3,31}$'),
  display_name text not null check (length(display_name) between 1 and 20),
  op_no text not null unique check (op_no ~ '^KQ\d{4,6}$'),
  mobile_cipher text,
  mobile_hash text,
  mobile_masked text,
  email_cipher text,
  email_masked text,
  department_name text,
  post_name text,
  employer text not null check (employer in ('SELF', 'OUTSOURCE')),
  valid_from date,
  valid_to date,
  state text not null check (state in ('PENDING', 'ENABLED', 'LOCKED', 'DISABLED', 'LEFT')),
  disabled_reason text,
  left_on date,
  password_hash text,
  password_changed_at timestamptz,
  must_change_password boolean not null default false,
  -- Why the password must be changed: FIRST or RESET; expiry follows from password_changed_at.
  change_reason text check (change_reason in ('FIRST', 'RESET')),
  temp_password_expires_at timestamptz,
  default_user_role_id bigint,
  last_user_role_id bigint,
  last_login_at timestamptz,
  last_login_ip text,
  assistant_id bigint unique,
  import_batch_no text,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check (employer <> 'OUTSOURCE' or valid_to is not null),
  check (valid_from is null or valid_to is null or valid_from <= valid_to),
  check ((mobile_hash is null) = (mobile_cipher is null)),
  check (state <> 'LEFT' or left_on is not null)
);
create unique index identity_staff_user_name on identity_staff_user (lower(user_name));
create unique index identity_staff_user_mobile on identity_staff_user (mobile_hash) where state <> 'LEFT';
create index identity_staff_user_state on identity_staff_user (state, department_name);
create index identity_staff_user_login on identity_staff_user (last_login_at);
create index identity_staff_user_display on identity_staff_user using gin (display_name gin_trgm_ops);
create index identity_staff_user_batch on identity_staff_user (import_batch_no) where import_batch_no is not null;

create table identity_password_history (
  id bigint generated always as identity primary key,
  user_id bigint not null references identity_staff_user (id),
  password_hash text not null,
  changed_at timestamptz not null
);
create index identity_password_history_user on identity_password_history (user_id, id desc);

-- Kept for names that do not exist too, so that a lock reveals nothing.
create table identity_login_attempt (
  key text primary key,
  failed_at timestamptz[] not null default '{}',
  locks timestamptz[] not null default '{}',
  locked_until timestamptz,
  hard_locked boolean not null default false,
  updated_at timestamptz not null
);

create table identity_captcha (
  captcha_id uuid primary key,
  answer_hash text not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index identity_captcha_expires on identity_captcha (expires_at);

create table identity_sms_code (
  id bigint generated always as identity primary key,
  mobile_hash text not null,
  purpose text not null check (purpose in ('LOGIN', 'STEP_UP')),
  code_hash text not null,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  wrong_count int not null default 0,
  used_at timestamptz,
  ip text not null
);
create index identity_sms_code_mobile on identity_sms_code (mobile_hash, sent_at desc);
create index identity_sms_code_ip on identity_sms_code (ip, sent_at desc);

create table identity_sms_outbox (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  mobile_cipher text not null,
  mobile_hash text not null,
  text_cipher text not null,
  purpose text check (purpose in ('LOGIN', 'STEP_UP')),
  state text not null check (state in ('QUEUED', 'SENT', 'FAILED')),
  provider_answer text
);
create index identity_sms_outbox_at on identity_sms_outbox (at desc, id desc);

create table identity_role (
  id bigint generated always as identity primary key,
  role_code text not null unique check (role_code ~ '^[A-Z][A-Z0-9_]{2,31}$'),
  name text not null check (length(name) between 1 and 20),
  description text not null default '' check (length(description) <= 200),
  builtin boolean not null default false,
  state text not null check (state in ('ENABLED', 'DISABLED')),
  default_route_key text,
  deleted_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint
);
create unique index identity_role_name on identity_role (name) where deleted_at is null;

create table identity_user_role (
  id bigint generated always as identity primary key,
  user_id bigint not null references identity_staff_user (id),
  role_id bigint not null references identity_role (id),
  scope jsonb not null,
  valid_from date not null,
  valid_to date,
  state text not null check (state in ('ENABLED', 'DISABLED')),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check (valid_to is null or valid_from <= valid_to),
  constraint identity_user_role_once exclude using gist (
    user_id with =, role_id with =, daterange(valid_from, valid_to, '[]') with &&
  ) where (state = 'ENABLED')
);
create index identity_user_role_role on identity_user_role (role_id);
create index identity_user_role_user on identity_user_role (user_id);

create table identity_role_conflict (
  id bigint generated always as identity primary key,
  role_a_id bigint not null references identity_role (id),
  role_b_id bigint not null references identity_role (id),
  reason text not null,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  check (role_a_id < role_b_id),
  unique (role_a_id, role_b_id)
);
create index identity_role_conflict_b on identity_role_conflict (role_b_id);

-- No user holds two conflicting roles on one day (I2). The user's row is locked first, so parallel writers wait for each other.
create function identity_refuse_conflicting_roles() returns trigger language plpgsql as $$
declare found record;
begin
  if new.state <> 'ENABLED' then return new; end if;
  perform 1 from identity_staff_user where id = new.user_id for no key update;
  select a.name as a, b.name as b into found
    from identity_role_conflict c
    join identity_user_role other on other.user_id = new.user_id and other.id <> new.id and other.state = 'ENABLED'
      and ((c.role_a_id = new.role_id and c.role_b_id = other.role_id) or (c.role_b_id = new.role_id and c.role_a_id = other.role_id))
      and daterange(other.valid_from, other.valid_to, '[]') && daterange(new.valid_from, new.valid_to, '[]')
    join identity_role a on a.id = new.role_id
    join identity_role b on b.id = other.role_id
    limit 1;
  if found is not null then
    raise exception using errcode = 'KQ024', message = 'conflicting roles', detail = found.a || E'\n' || found.b;
  end if;
  return new;
end $$;
create trigger identity_user_role_conflict before insert or update on identity_user_role
  for each row execute function identity_refuse_conflicting_roles();

create table identity_session (
  id bigint generated always as identity primary key,
  token_hash bytea not null unique,
  previous_token_hash bytea,
  previous_valid_until timestamptz,
  user_id bigint not null references identity_staff_user (id),
  method text not null check (method in ('PASSWORD', 'SMS')),
  restricted boolean not null default false,
  sms_verified_at timestamptz,
  issued_at timestamptz not null,
  last_seen_at timestamptz not null,
  idle_expires_at timestamptz not null,
  absolute_expires_at timestamptz not null,
  rotated_at timestamptz not null,
  ended_at timestamptz,
  end_reason text check (end_reason in ('LOGOUT', 'EXPIRED', 'REPLACED', 'KICKED', 'PASSWORD', 'DISABLED', 'BOOT')),
  ip text not null,
  user_agent text not null,
  device_label text not null,
  check ((ended_at is null) = (end_reason is null))
);
create index identity_session_previous on identity_session (previous_token_hash) where previous_token_hash is not null;
create index identity_session_user on identity_session (user_id) where ended_at is null;
create index identity_session_seen on identity_session (last_seen_at);

create table identity_permission_catalogue (
  code text primary key,
  label text not null,
  domain text not null,
  route_keys jsonb not null,
  risk text not null check (risk in ('NORMAL', 'HIGH')),
  default_roles jsonb not null,
  calls jsonb not null,
  source text not null default 'CODE' check (source in ('CODE', 'LOWCODE')),
  retired_at timestamptz
);

create table identity_route_catalogue (
  route_key text primary key,
  path text not null,
  title text not null,
  trail jsonb not null,
  left_menu text not null check (left_menu in ('none', 'corpus', 'insurance')),
  kind text not null,
  source text not null check (source in ('CODE', 'LOWCODE')),
  view_permission text,
  sort int not null default 0
);

create table identity_menu (
  id bigint generated always as identity primary key,
  parent_id bigint references identity_menu (id),
  level int not null check (level between 1 and 3),
  title_name text not null check (length(title_name) between 1 and 20),
  route_key text,
  path text,
  kind text not null check (kind in ('DIR', 'PAGE')),
  icon text,
  sort int not null,
  left_menu text not null check (left_menu in ('none', 'corpus', 'insurance')),
  nav_show boolean not null default true,
  we_chat_page boolean not null default false,
  visible boolean not null default true,
  builtin boolean not null default false,
  -- Place in the seed: finds a builtin entry again whatever its title became.
  seed_key text unique,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check ((level = 1) = (parent_id is null)),
  check ((kind = 'PAGE') = (route_key is not null))
);
create unique index identity_menu_route on identity_menu (route_key) where route_key is not null;
create index identity_menu_parent on identity_menu (parent_id, sort);

create table identity_role_menu (
  role_id bigint not null references identity_role (id) on delete cascade,
  menu_id bigint not null references identity_menu (id) on delete cascade,
  primary key (role_id, menu_id)
);
create index identity_role_menu_menu on identity_role_menu (menu_id);

create table identity_role_permission (
  role_id bigint not null references identity_role (id) on delete cascade,
  code text not null,
  primary key (role_id, code)
);
create index identity_role_permission_code on identity_role_permission (code);

create table identity_security_policy (
  id int primary key check (id = 1),
  settings jsonb not null,
  version int not null default 1,
  updated_at timestamptz not null,
  updated_by bigint
);
