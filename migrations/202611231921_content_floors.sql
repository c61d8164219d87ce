-- Floors of the clients' pages: the draft of each page, and its releases.

create table content_page_layout (
  id bigint generated always as identity primary key,
  page_code text not null unique check (page_code in
    ('MP_HOME', 'MP_MALL', 'MP_RIGHTS', 'MP_DRUG_DETAIL', 'MP_CONSULT', 'MP_MINE', 'DR_HOME', 'DR_EARNING', 'ST_HOME')),
  -- of the draft as a whole: whoever changes one floor takes it
  version int not null default 1,
  -- null: nobody has changed it yet
  updated_at timestamptz,
  updated_by bigint
);
insert into content_page_layout (page_code)
  select code from unnest(array['MP_HOME', 'MP_MALL', 'MP_RIGHTS', 'MP_DRUG_DETAIL', 'MP_CONSULT', 'MP_MINE', 'DR_HOME',
    'DR_EARNING', 'ST_HOME']) code;

create table content_floor (
  id bigint generated always as identity primary key,
  floor_key text not null unique,
  page_code text not null references content_page_layout (page_code),
  floor_name text not null check (char_length(floor_name) between 1 and 20),
  floor_type text not null check (floor_type in
    ('BANNER', 'ICON_GRID', 'NOTICE', 'GOODS', 'DOCTOR', 'DISEASE', 'ARTICLE', 'RIGHTS', 'IMAGE', 'AD')),
  title text not null default '' check (char_length(title) <= 16),
  show_title boolean not null default true,
  layout text not null check (layout in ('ONE', 'TWO', 'SCROLL')),
  items jsonb not null default '[]' check (jsonb_typeof(items) = 'array' and jsonb_array_length(items) <= 30),
  start_at timestamptz,
  end_at timestamptz,
  hide_when_empty boolean not null default true,
  hidden boolean not null default false,
  sort_no int not null,
  -- the page's version that this floor was written with last, by which a conflict names it
  changed_in int not null,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check (end_at > start_at),
  check (floor_type <> 'ICON_GRID' or jsonb_array_length(items) = 0 or jsonb_array_length(items) between 4 and 10)
);
create index content_floor_order on content_floor (page_code, sort_no);

create table content_page_release (
  id bigint generated always as identity primary key,
  page_code text not null references content_page_layout (page_code),
  seq int not null check (seq >= 1),
  snapshot jsonb not null check (jsonb_typeof(snapshot) = 'array' and jsonb_array_length(snapshot) between 1 and 20),
  content_hash text not null,
  state text not null default 'AUDITING' check (state in ('AUDITING', 'SCHEDULED', 'LIVE', 'REJECTED', 'SUPERSEDED', 'CANCELLED')),
  effective_at timestamptz,
  submitted_by bigint not null,
  submitted_at timestamptz not null,
  audited_by bigint,
  audited_at timestamptz,
  opinion text check (char_length(opinion) <= 500),
  unique (page_code, seq),
  check (content_hash = md5(snapshot::text)),
  check (state = 'AUDITING' or audited_by is not null),
  check (audited_by <> submitted_by),
  check (state <> 'SCHEDULED' or effective_at is not null)
);
create unique index content_page_release_live on content_page_release (page_code) where state = 'LIVE';
create unique index content_page_release_auditing on content_page_release (page_code) where state = 'AUDITING';
create index content_page_release_due on content_page_release (effective_at) where state = 'SCHEDULED';

create function content_keep_release() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then raise exception 'a release is never deleted'; end if;
  if (new.page_code, new.seq, new.snapshot, new.content_hash, new.submitted_by, new.submitted_at, new.effective_at)
     is distinct from (old.page_code, old.seq, old.snapshot, old.content_hash, old.submitted_by, old.submitted_at, old.effective_at)
  then raise exception 'what was released does not change'; end if;
  if old.state in ('REJECTED', 'CANCELLED') and new.state <> old.state then raise exception 'a release that was ended stays ended'; end if;
  return new;
end $$;
create trigger content_page_release_kept before update or delete on content_page_release
  for each row execute function content_keep_release();
create function content_floor_limit() returns trigger language plpgsql as $$
begin
  if (select count(*) from content_floor where page_code = new.page_code) > 20 then raise exception 'a page has at most 20 floors'; end if;
  return null;
end $$;
create trigger content_floor_limited after insert on content_floor for each row execute function content_floor_limit();
