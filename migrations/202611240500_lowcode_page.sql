-- Pages made of definitions: one row per page, a line of versions, of which one is published and one may be a draft.

create table lowcode_page (
  id bigint generated always as identity primary key,
  token text not null check (token ~ '^[A-Za-z][A-Za-z0-9]{2,39}$'),
  title text not null check (char_length(title) between 1 and 30),
  description text not null default '' check (char_length(description) <= 200),
  owner_domain text not null,
  builtin boolean not null default false,
  permission text not null,
  trail jsonb not null default '[]',
  left_menu text not null default 'none' check (left_menu in ('none', 'corpus', 'insurance')),
  state text not null default 'NEW' check (state in ('NEW', 'ONLINE', 'OFFLINE', 'REMOVED')),
  published_version_id bigint,
  draft_version_id bigint,
  -- For a minute readers of the version before the published one are still answered.
  former_version_id bigint,
  published_at timestamptz,
  health text not null default 'OK' check (health in ('OK', 'BROKEN')),
  health_detail jsonb not null default '[]',
  locked_by bigint,
  locked_at timestamptz,
  lock_reason text not null default '',
  removed_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check ((state = 'ONLINE') = (published_version_id is not null)),
  check ((state = 'REMOVED') = (removed_at is not null)),
  check ((locked_by is null) = (locked_at is null))
);
create unique index lowcode_page_token on lowcode_page (lower(token)) where state <> 'REMOVED';
create index lowcode_page_state on lowcode_page (state, updated_at desc);

create table lowcode_page_version (
  id bigint generated always as identity primary key,
  page_id bigint not null references lowcode_page (id) on delete cascade,
  version_no int not null check (version_no > 0),
  state text not null default 'DRAFT' check (state in ('DRAFT', 'PUBLISHED', 'ARCHIVED')),
  -- As it was written: the order of keys and the layout are its author's.
  definition text not null check (octet_length(definition) <= 524288),
  definition_hash text not null,
  based_on_version_id bigint,
  origin text not null check (origin in ('EDIT', 'ROLLBACK', 'RELEASE', 'IMPORT')),
  manifest jsonb not null default '[]',
  check_result jsonb not null default '[]',
  error_count int not null default 0,
  row_version int not null default 1,
  change_note text,
  edited_by bigint,
  edited_at timestamptz not null,
  published_by bigint,
  published_at timestamptz,
  archived_at timestamptz,
  unique (page_id, version_no)
);
create unique index lowcode_page_version_draft on lowcode_page_version (page_id) where state = 'DRAFT';
create unique index lowcode_page_version_published on lowcode_page_version (page_id) where state = 'PUBLISHED';

alter table lowcode_page
  add constraint lowcode_page_published foreign key (published_version_id) references lowcode_page_version (id),
  add constraint lowcode_page_draft foreign key (draft_version_id) references lowcode_page_version (id);

-- What was published once is what it was for ever.
create function lowcode_version_frozen() returns trigger language plpgsql as $$
begin
  if old.state <> 'DRAFT' and (new.definition, new.definition_hash, new.version_no, new.page_id) is distinct from
    (old.definition, old.definition_hash, old.version_no, old.page_id) then
    raise exception 'version % of page % is no draft any more', old.version_no, old.page_id;
  end if;
  return new;
end $$;
create trigger lowcode_version_frozen before update on lowcode_page_version for each row execute function lowcode_version_frozen();

-- Openings of a page by day.
create table lowcode_page_view (
  page_id bigint not null references lowcode_page (id) on delete cascade,
  day date not null,
  views int not null default 0,
  last_at timestamptz not null,
  primary key (page_id, day)
);
