-- append-only: card_type_version
-- How cards come into the world: what a type says beside its rules, batches with their approval, secrets that only their hash knows.

alter table card_type
  add column insurer_id bigint,
  add column created_by bigint,
  add column created_by_name text,
  add column created_at timestamptz,
  add column updated_at timestamptz,
  add constraint card_type_status_check check (status in ('DRAFT', 'ENABLED', 'DISABLED')),
  add constraint card_type_name_check check (char_length(type_name) between 1 and 40);

alter table card_type_version
  add column changed_by_name text not null default '系统',
  add column changed_at timestamptz;

alter table card_batch
  add column rule_version int not null default 1,
  add column medium text not null default 'VIRTUAL' check (medium in ('VIRTUAL', 'PHYSICAL')),
  add column face_amount bigint not null default 0 check (face_amount >= 0),
  add column bonus_amount bigint not null default 0 check (bonus_amount >= 0),
  add column total_amount bigint not null generated always as (quantity * (face_amount + bonus_amount)) stored,
  add column purpose text not null default '' check (char_length(purpose) <= 200),
  add column contract_file_ids jsonb not null default '[]',
  add column created_by bigint,
  add column created_by_name text not null default '系统',
  add column created_at timestamptz,
  add column submitted_by bigint,
  add column submitted_by_name text,
  add column submitted_at timestamptz,
  add column first_approved_by bigint,
  add column first_approved_by_name text,
  add column second_approved_by bigint,
  add column second_approved_by_name text,
  add column generated_count int not null default 0,
  -- From it and the system's key the secrets of the batch are made anew for the file; without it nobody can.
  add column secret_seed text,
  add column password_cipher text,
  add column password_revealed_to bigint,
  add column export_count int not null default 0 check (export_count between 0 and 3),
  add column closed_at timestamptz,
  add column version int not null default 1,
  add constraint card_batch_quantity_check check (quantity between 0 and 100000),
  add constraint card_batch_generated_check check (generated_count between 0 and quantity),
  add constraint card_batch_status_check check (status in
    ('DRAFT', 'PENDING_APPROVAL', 'PENDING_SECOND', 'REJECTED', 'APPROVED', 'GENERATING', 'GENERATED', 'EXPORTED', 'CLOSED', 'VOIDED')),
  add constraint card_batch_approver_check check
    (first_approved_by is distinct from submitted_by or first_approved_by is null),
  add constraint card_batch_second_check check
    (second_approved_by is null or (second_approved_by is distinct from submitted_by and second_approved_by is distinct from first_approved_by));
create index card_batch_type on card_batch (card_type_id, status, created_at);

create table card_export_log (
  id bigint generated always as identity primary key,
  batch_id bigint not null references card_batch (id),
  action text not null check (action in ('EXPORT', 'REVEAL')),
  user_id bigint not null,
  user_name text not null,
  opinion text,
  ip text not null,
  at timestamptz not null
);
create index card_export_log_batch on card_export_log (batch_id, at);

alter table card_card
  add column secret_set_at timestamptz,
  add column secret_fail_count int not null default 0,
  add column secret_locked_until timestamptz,
  add column holder_id_type text,
  add column holder_id_masked text,
  add column holder_id_cipher text,
  add column holder_mobile_masked text,
  add column holder_mobile_cipher text,
  add column holder_mobile_hash text,
  add column policy_no text,
  add column issued_at timestamptz,
  add column activated_at timestamptz,
  add column frozen_reason text,
  add column frozen_by bigint,
  add column state_before_freeze text,
  add column replaces_card_id bigint references card_card (id);
create index card_card_batch on card_card (batch_id, state);
create index card_card_holder on card_card (holder_id_hash) where holder_id_hash is not null;
create index card_card_mobile on card_card (holder_mobile_hash) where holder_mobile_hash is not null;
create index card_card_type on card_card (card_type_id, state, id);
create index card_card_expiry on card_card (expire_at) where state in ('ACTIVE', 'FROZEN');
