-- Reviewed content of the corpus: materials, questionnaires, and which materials schedule items and cycles send.

create table corpus_forbidden_word (
  word text primary key check (char_length(word) between 1 and 32),
  level text not null check (level in ('HARD', 'SOFT'))
);

create table corpus_material_folder (
  id bigint generated always as identity primary key,
  parent_id bigint references corpus_material_folder (id),
  name text not null check (char_length(name) between 1 and 32),
  sort_no int not null,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check (parent_id <> id)
);
create unique index corpus_material_folder_name on corpus_material_folder (coalesce(parent_id, 0), lower(name));

create table corpus_material (
  id bigint generated always as identity primary key,
  material_no text not null unique,
  material_type text not null check (material_type in ('TEXT', 'IMAGE', 'ARTICLE', 'MINI_CARD', 'QUESTIONNAIRE', 'MEDICINE_CARD')),
  title text not null check (char_length(title) between 1 and 64),
  folder_id bigint references corpus_material_folder (id),
  disease_ids bigint[] not null default '{}',
  tags text[] not null default '{}',
  state text not null check (state in ('DRAFT', 'AUDITING', 'ENABLED', 'DISABLED')),
  -- what is being written beside the version in use
  edit_state text not null check (edit_state in ('NONE', 'DRAFT', 'AUDITING')),
  draft jsonb,
  draft_by bigint,
  current_version_id bigint,
  audit_version_id bigint,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check ((state in ('DRAFT', 'AUDITING')) = (current_version_id is null)),
  check (state not in ('DRAFT', 'AUDITING') or edit_state = state),
  check ((edit_state = 'NONE') = (draft is null)),
  check ((edit_state = 'AUDITING') = (audit_version_id is not null))
);
create index corpus_material_type on corpus_material (material_type, state);
create index corpus_material_folder_of on corpus_material (folder_id);
create index corpus_material_title on corpus_material using gin (title gin_trgm_ops);
create index corpus_material_audit on corpus_material (id) where edit_state = 'AUDITING';

create table corpus_material_version (
  id bigint generated always as identity primary key,
  material_id bigint not null references corpus_material (id) on delete cascade,
  seq int not null check (seq >= 1),
  content jsonb not null,
  text_plain text not null,
  forbidden_hits text[] not null default '{}',
  state text not null check (state in ('AUDITING', 'APPROVED', 'REJECTED')),
  submitted_by bigint not null,
  submitted_at timestamptz not null,
  auditor_id bigint,
  audited_at timestamptz,
  opinion text,
  unique (material_id, seq),
  unique (material_id, id),
  check (auditor_id <> submitted_by),
  check ((state = 'AUDITING') = (auditor_id is null)),
  check ((auditor_id is null) = (audited_at is null)),
  -- soft words pass with the auditor's note alone
  check (state <> 'APPROVED' or cardinality(forbidden_hits) = 0 or opinion is not null)
);
alter table corpus_material
  add foreign key (id, current_version_id) references corpus_material_version (material_id, id) deferrable initially deferred,
  add foreign key (id, audit_version_id) references corpus_material_version (material_id, id) deferrable initially deferred;

create table corpus_questionnaire (
  id bigint generated always as identity primary key,
  title text not null check (char_length(title) between 1 and 64),
  state text not null check (state in ('DRAFT', 'AUDITING', 'ENABLED', 'DISABLED')),
  edit_state text not null check (edit_state in ('NONE', 'DRAFT', 'AUDITING')),
  draft jsonb,
  draft_by bigint,
  current_version_id bigint,
  audit_version_id bigint,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check ((state in ('DRAFT', 'AUDITING')) = (current_version_id is null)),
  check (state not in ('DRAFT', 'AUDITING') or edit_state = state),
  check ((edit_state = 'NONE') = (draft is null)),
  check ((edit_state = 'AUDITING') = (audit_version_id is not null))
);

create table corpus_questionnaire_version (
  id bigint generated always as identity primary key,
  questionnaire_id bigint not null references corpus_questionnaire (id) on delete cascade,
  seq int not null check (seq >= 1),
  content jsonb not null,
  text_plain text not null,
  forbidden_hits text[] not null default '{}',
  state text not null check (state in ('AUDITING', 'APPROVED', 'REJECTED')),
  submitted_by bigint not null,
  submitted_at timestamptz not null,
  auditor_id bigint,
  audited_at timestamptz,
  opinion text,
  unique (questionnaire_id, seq),
  unique (questionnaire_id, id),
  check (auditor_id <> submitted_by),
  check ((state = 'AUDITING') = (auditor_id is null)),
  check ((auditor_id is null) = (audited_at is null)),
  check (state <> 'APPROVED' or cardinality(forbidden_hits) = 0 or opinion is not null)
);
alter table corpus_questionnaire
  add foreign key (id, current_version_id) references corpus_questionnaire_version (questionnaire_id, id) deferrable initially deferred,
  add foreign key (id, audit_version_id) references corpus_questionnaire_version (questionnaire_id, id) deferrable initially deferred;

-- One answer per sent questionnaire; the words of a patient about his health.
create table corpus_questionnaire_answer (
  id bigint generated always as identity primary key,
  send_id bigint not null unique,
  patient_id bigint not null,
  questionnaire_id bigint not null references corpus_questionnaire (id),
  version_id bigint not null,
  answers jsonb not null,
  score int not null,
  alerts jsonb not null default '[]',
  submitted_at timestamptz not null,
  seconds int not null check (seconds >= 0),
  foreign key (questionnaire_id, version_id) references corpus_questionnaire_version (questionnaire_id, id)
);
create index corpus_questionnaire_answer_time on corpus_questionnaire_answer (questionnaire_id, submitted_at desc, id desc);
create index corpus_questionnaire_answer_patient on corpus_questionnaire_answer (patient_id, submitted_at desc);

-- What was submitted never changes; only its verdict is written, once.
create function corpus_version_is_frozen() returns trigger language plpgsql as $$
begin
  if old.state <> 'AUDITING' or (to_jsonb(new) - '{state,auditor_id,audited_at,opinion,forbidden_hits}'::text[])
      is distinct from (to_jsonb(old) - '{state,auditor_id,audited_at,opinion,forbidden_hits}'::text[]) then
    raise exception 'a submitted version does not change' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger corpus_material_version_frozen before update on corpus_material_version
  for each row execute function corpus_version_is_frozen();
create trigger corpus_questionnaire_version_frozen before update on corpus_questionnaire_version
  for each row execute function corpus_version_is_frozen();

-- Ordered; a material may stand once in an item.
alter table corpus_schedule_item add material_ids bigint[] not null default '{}' check (cardinality(material_ids) <= 5);
alter table corpus_package_cycle add material_ids bigint[] not null default '{}' check (cardinality(material_ids) <= 30),
  add check (play_mode <> 'SAME' or cardinality(material_ids) <= 5);
create index corpus_schedule_item_material on corpus_schedule_item using gin (material_ids);
create index corpus_package_cycle_material on corpus_package_cycle using gin (material_ids);

-- What an array names stays: the lock keeps a material from being deleted meanwhile.
create function corpus_materials_exist() returns trigger language plpgsql as $$
begin
  perform 1 from corpus_material where id = any (new.material_ids) order by id for key share;
  if exists (select from unnest(new.material_ids) as named (id) where not exists (select from corpus_material m where m.id = named.id)) then
    raise exception 'a material does not exist' using errcode = 'foreign_key_violation';
  end if;
  return new;
end $$;
create trigger corpus_schedule_item_materials before insert or update of material_ids on corpus_schedule_item
  for each row when (cardinality(new.material_ids) > 0) execute function corpus_materials_exist();
create trigger corpus_package_cycle_materials before insert or update of material_ids on corpus_package_cycle
  for each row when (cardinality(new.material_ids) > 0) execute function corpus_materials_exist();

create function corpus_material_is_unused() returns trigger language plpgsql as $$
begin
  if exists (select from corpus_schedule_item where material_ids @> array[old.id])
      or exists (select from corpus_package_cycle where material_ids @> array[old.id]) then
    raise exception 'a used material is not deleted' using errcode = 'foreign_key_violation';
  end if;
  return old;
end $$;
create trigger corpus_material_unused before delete on corpus_material for each row execute function corpus_material_is_unused();
