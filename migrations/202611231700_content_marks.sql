-- Marks on people and things, by groups, and what carries which mark.

create table content_tag_group (
  id bigint generated always as identity primary key,
  group_name text not null check (char_length(group_name) between 1 and 16),
  object_type text not null check (object_type in ('PATIENT', 'DOCTOR', 'MEDICINE', 'CHANNEL', 'DRUGSTORE')),
  select_mode text not null check (select_mode in ('SINGLE', 'MULTI')),
  color text not null check (color in ('default', 'blue', 'cyan', 'green', 'gold', 'orange', 'red', 'magenta', 'purple')),
  sensitive boolean not null default false,
  manual_allowed boolean not null default true,
  max_per_object int check (max_per_object between 1 and 50),
  sort_no int not null,
  state text not null default 'ENABLED' check (state in ('ENABLED', 'DISABLED')),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  unique (id, object_type, select_mode)
);
create unique index content_tag_group_name on content_tag_group (object_type, lower(group_name));
create index content_tag_group_order on content_tag_group (object_type, sort_no);

create table content_mark (
  id bigint generated always as identity primary key,
  group_id bigint not null references content_tag_group (id),
  mark_code text not null unique,
  mark_name text not null check (char_length(mark_name) between 1 and 12),
  pinyin text not null,
  color text not null check (color in ('default', 'blue', 'cyan', 'green', 'gold', 'orange', 'red', 'magenta', 'purple')),
  description text not null default '' check (char_length(description) <= 100),
  default_days int check (default_days between 1 and 3650),
  sort_no int not null,
  state text not null default 'ENABLED' check (state in ('ENABLED', 'DISABLED')),
  -- live bindings, kept by the triggers below
  object_count int not null default 0 check (object_count >= 0),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  unique (id, group_id)
);
create unique index content_mark_name on content_mark (group_id, lower(mark_name));

create table content_mark_binding (
  id bigint generated always as identity primary key,
  mark_id bigint not null,
  -- of the mark's group, so that its rules hold as constraints
  group_id bigint not null,
  object_type text not null check (object_type in ('PATIENT', 'DOCTOR', 'MEDICINE', 'CHANNEL', 'DRUGSTORE')),
  select_mode text not null check (select_mode in ('SINGLE', 'MULTI')),
  object_id bigint not null,
  source text not null check (source in ('MANUAL', 'RULE', 'IMPORT', 'EVENT')),
  source_id bigint,
  bound_at timestamptz not null,
  bound_by bigint,
  expire_at timestamptz,
  ended_at timestamptz,
  ended_by bigint,
  end_reason text check (end_reason in ('MANUAL', 'RULE', 'EXPIRED', 'REPLACED', 'MARK_OFF', 'MERGED')),
  note text not null default '' check (char_length(note) <= 100),
  foreign key (mark_id, group_id) references content_mark (id, group_id),
  foreign key (group_id, object_type, select_mode) references content_tag_group (id, object_type, select_mode),
  check ((ended_at is null) = (end_reason is null)),
  check (expire_at > bound_at)
);
create unique index content_mark_binding_live on content_mark_binding (mark_id, object_type, object_id) where ended_at is null;
create unique index content_mark_binding_single on content_mark_binding (group_id, object_id) where ended_at is null and select_mode = 'SINGLE';
create index content_mark_binding_object on content_mark_binding (object_type, object_id) where ended_at is null;
create index content_mark_binding_bound on content_mark_binding (mark_id, bound_at);
create index content_mark_binding_expiry on content_mark_binding (expire_at) where ended_at is null and expire_at is not null;

create function content_count_bound() returns trigger language plpgsql as $$
begin
  update content_mark m set object_count = m.object_count + n.bound
    from (select mark_id, count(*)::int as bound from added where ended_at is null group by mark_id) n where m.id = n.mark_id;
  return null;
end $$;
create function content_count_changed() returns trigger language plpgsql as $$
begin
  update content_mark m set object_count = m.object_count + n.bound
    from (select mark_id, sum(live)::int as bound
            from (select mark_id, 1 as live from after_rows where ended_at is null
                  union all select mark_id, -1 from before_rows where ended_at is null) both_sides
           group by mark_id having sum(live) <> 0) n where m.id = n.mark_id;
  return null;
end $$;
create function content_keep_binding() returns trigger language plpgsql as $$
begin
  raise exception 'a binding is ended, never deleted';
end $$;
create trigger content_mark_binding_added after insert on content_mark_binding referencing new table as added
  for each statement execute function content_count_bound();
create trigger content_mark_binding_changed after update on content_mark_binding referencing old table as before_rows new table as after_rows
  for each statement execute function content_count_changed();
create trigger content_mark_binding_kept before delete on content_mark_binding for each statement execute function content_keep_binding();
