-- append-only: card_secret_log
-- Changes of cards that a second person passes, what was done with secrets, and which ends of cards were told.

create table card_change (
  id bigint generated always as identity primary key,
  change_no text not null unique,
  card_id bigint not null references card_card (id),
  action text not null check (action in ('VOID', 'REPLACE', 'EXTEND', 'ADJUST', 'REBIND')),
  payload jsonb not null default '{}',
  -- What the card was when it was asked for, and what it is to be, in words.
  differences jsonb not null default '[]',
  reason text not null check (char_length(reason) between 2 and 500),
  evidence_file_ids bigint[] not null default '{}',
  status text not null default 'PENDING' check (status in ('PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN')),
  requested_by bigint not null,
  requested_by_name text not null,
  decided_by bigint,
  decided_by_name text,
  decided_opinion text,
  decided_at timestamptz,
  new_card_id bigint references card_card (id),
  version int not null default 1,
  created_at timestamptz not null,
  check (status not in ('APPROVED', 'REJECTED') or (decided_by is not null and decided_by <> requested_by))
);
create unique index card_change_pending on card_change (card_id) where status = 'PENDING';
create index card_change_card on card_change (card_id, id);
create index card_change_created on card_change (created_at, id);

create table card_secret_log (
  id bigint generated always as identity primary key,
  card_id bigint not null references card_card (id),
  action text not null check (action in ('RESET', 'ACTIVATE', 'BIND', 'WRONG', 'LOCK')),
  user_id bigint,
  user_name text not null,
  ip text not null,
  at timestamptz not null
);
create index card_secret_log_card on card_secret_log (card_id, at);

-- Each end of a card is told once 30, 7 and 1 days before it.
create table card_expiry_notice (
  card_id bigint not null references card_card (id),
  expire_at timestamptz not null,
  days int not null check (days in (30, 7, 1)),
  told_at timestamptz not null,
  primary key (card_id, expire_at, days)
);

alter table card_card add column frozen_by_name text;
create index card_card_policy on card_card (policy_no) where policy_no is not null;
create index card_card_contract on card_card (contract_id) where contract_id is not null;
create index card_card_holder_name on card_card (holder_name) where holder_name is not null;
