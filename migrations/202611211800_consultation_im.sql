-- The message store: accounts of the chat, conversations, members, messages, and each user's log of events.
-- append-only: consultation_im_message_original

create table consultation_im_user (
  im_user_id text primary key check (im_user_id ~ '^([PDA]\d{1,18}|SYSTEM)$'),
  kind text not null check (kind in ('PATIENT', 'DOCTOR', 'ASSISTANT', 'SYSTEM')),
  operator_id bigint not null,
  ref_id bigint,
  nick text not null check (length(nick) <= 50),
  avatar text,
  last_event_seq bigint not null default 0 check (last_event_seq >= 0),
  -- Times of the last messages, in milliseconds: the counter of the rate limit, exact over all processes.
  recent_sends bigint[] not null default '{}',
  sig_not_before timestamptz,
  disabled_at timestamptz,
  risk_mute_until timestamptz,
  mute_reason text,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  version integer not null default 1,
  unique (kind, operator_id),
  check ((im_user_id = 'SYSTEM') = (kind = 'SYSTEM')),
  check (kind = 'SYSTEM' or left(im_user_id, 1) = left(kind, 1))
) with (fillfactor = 50);

create table consultation_im_conversation (
  conv_id bigint generated always as identity primary key,
  type text not null check (type in ('GROUP', 'C2C')),
  group_id text check (group_id ~ '^(YH|DZT)\d{8,18}$'),
  name text check (length(name) <= 60),
  user_low text references consultation_im_user,
  user_high text references consultation_im_user,
  last_seq bigint not null default 0 check (last_seq >= 0),
  last_message_at timestamptz,
  dissolved_at timestamptz,
  recent_sends bigint[] not null default '{}',
  recent_engine_sends bigint[] not null default '{}',
  created_at timestamptz not null,
  created_by bigint,
  check ((type = 'GROUP') = (group_id is not null)),
  check ((type = 'C2C') = (user_low is not null and user_high is not null)),
  -- A single chat exists only between an assistant and a patient; in text order the assistant stands first.
  check (type <> 'C2C' or (user_low like 'A%' and user_high like 'P%'))
) with (fillfactor = 50);
create unique index consultation_im_conversation_group on consultation_im_conversation (group_id) where group_id is not null;
create unique index consultation_im_conversation_pair on consultation_im_conversation (user_low, user_high) where type = 'C2C';
create index consultation_im_conversation_last on consultation_im_conversation (last_message_at);

create table consultation_im_member (
  conv_id bigint not null references consultation_im_conversation,
  im_user_id text not null references consultation_im_user,
  user_role text not null check (user_role in ('DOCTOR', 'ASSISTANT', 'PATIENT')),
  from_seq bigint not null default 1,
  read_seq bigint not null default 0 check (read_seq >= 0),
  read_at timestamptz,
  join_time timestamptz not null,
  left_at timestamptz,
  mute_until timestamptz,
  is_pinned boolean not null default false,
  remind_type text not null default 'AcceptAndNotify' check (remind_type in ('AcceptAndNotify', 'AcceptNotNotify', 'Discard')),
  draft_text text not null default '' check (length(draft_text) <= 2000),
  cleared_seq bigint not null default 0,
  -- Set by 标为未读; shown as a dot and gone with the next reading.
  is_marked boolean not null default false,
  collaborate boolean not null default false,
  primary key (conv_id, im_user_id),
  check (left(im_user_id, 1) = left(user_role, 1))
) with (fillfactor = 70);
create index consultation_im_member_user on consultation_im_member (im_user_id) where left_at is null;

create table consultation_im_message (
  conv_id bigint not null,
  seq bigint not null check (seq >= 1),
  sender_id text not null,
  client_msg_id text not null check (length(client_msg_id) between 1 and 80),
  vendor_id text,
  type text not null,
  payload jsonb not null check (octet_length(payload::text) <= 20000),
  payload_hash text not null,
  cloud_custom_data text not null default '' check (octet_length(cloud_custom_data) <= 2048),
  at_user_list text[] not null default '{}',
  quote_seq bigint,
  need_read_receipt boolean not null default false,
  counts_unread boolean not null default true,
  auto boolean not null default false,
  source_ref text,
  sent_at timestamptz not null,
  modified_at timestamptz,
  modify_version integer not null default 0,
  revoked_at timestamptz,
  revoked_by text,
  revoke_reason text,
  search_tokens text[] not null default '{}',
  risk_hit text[],
  primary key (conv_id, seq),
  unique (conv_id, sender_id, client_msg_id)
) partition by hash (conv_id);
do $$
begin
  for part in 0..31 loop
    execute format('create table consultation_im_message_p%s partition of consultation_im_message for values with (modulus 32, remainder %s)', part, part);
  end loop;
end $$;
create index consultation_im_message_tokens on consultation_im_message using gin (search_tokens) with (fastupdate = on);
-- An engine's key is looked for whoever it wrote as.
create index consultation_im_message_engine on consultation_im_message (conv_id, client_msg_id) where auto;
create index consultation_im_message_time on consultation_im_message using brin (sent_at);

create table consultation_im_message_original (
  conv_id bigint not null,
  seq bigint not null,
  modify_version integer not null,
  payload jsonb not null,
  cloud_custom_data text not null default '',
  by text not null,
  at timestamptz not null,
  reason text,
  primary key (conv_id, seq, modify_version)
);

-- What a user's clients must hear, numbered without a gap by consultation_im_user.last_event_seq; pointers, no message text.
create table consultation_im_event (
  im_user_id text not null,
  event_seq bigint not null,
  day date not null,
  type text not null check (type in ('msg', 'msgModified', 'msgRevoked', 'conv', 'convRemoved', 'member', 'readSelf', 'invite', 'profile', 'blacklist')),
  conv_id bigint,
  seq bigint,
  body jsonb,
  at timestamptz not null,
  primary key (im_user_id, event_seq, day)
) partition by range (day);
-- The partitions of days are made ahead by the program; this one catches what falls outside them.
create table consultation_im_event_rest partition of consultation_im_event default;
comment on table consultation_im_event is 'partitions of days, kept 7 days';

create table consultation_im_blacklist (
  owner_id text not null references consultation_im_user,
  blocked_id text not null references consultation_im_user,
  at timestamptz not null,
  primary key (owner_id, blocked_id)
);

create unlogged table consultation_im_connection (
  socket_id text primary key,
  im_user_id text not null,
  node text not null,
  device text not null check (device in ('console', 'wx', 'bot')),
  client_id text not null,
  ip text not null,
  last_seen_at timestamptz not null
);
create index consultation_im_connection_user on consultation_im_connection (im_user_id);
create index consultation_im_connection_ip on consultation_im_connection (ip);

create table consultation_im_invite (
  invite_id text primary key,
  conv_id bigint not null references consultation_im_conversation,
  caller_id text not null references consultation_im_user,
  invitees text[] not null,
  answered jsonb not null default '{}',
  data text not null check (octet_length(data) <= 4096),
  state text not null check (state in ('OPEN', 'ACCEPTED', 'REJECTED', 'CANCELLED', 'TIMEOUT')),
  expires_at timestamptz not null,
  created_at timestamptz not null
);
create index consultation_im_invite_open on consultation_im_invite (expires_at) where state = 'OPEN';
