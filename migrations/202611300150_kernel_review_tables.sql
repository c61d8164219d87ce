-- Tables of materials that people hand in for a case, under the prefix of its domain: `select kernel_review_tables('enrol')` in a migration of
-- that domain. `reviewOf` of the kernel reads and writes them.
create function kernel_review_tables(prefix text) returns void language plpgsql set search_path = public as $$
declare
  statements constant text := $tables$
    -- What is known of each file: its bytes, and how its picture looks (64 bits; eight bands of eight bits find what looks alike).
    create table {p}_file (
      file_id bigint primary key,
      sha256 text not null,
      phash text check (phash ~ '^[0-9a-f]{16}$'),
      phash_bands int[] not null default '{}'
    );
    create index {p}_file_sha256 on {p}_file (sha256);
    create index {p}_file_bands on {p}_file using gin (phash_bands);

    create table {p}_supplement (
      id bigint generated always as identity primary key,
      owner_type text not null,
      owner_id bigint not null,
      items jsonb not null,
      asked_by bigint,
      asked_at timestamptz not null,
      due_at timestamptz not null,
      state text not null default 'OPEN' check (state in ('OPEN', 'ANSWERED', 'EXPIRED', 'CANCELLED')),
      ended_at timestamptz
    );
    create unique index {p}_supplement_open on {p}_supplement (owner_type, owner_id) where state = 'OPEN';
    create index {p}_supplement_owner on {p}_supplement (owner_type, owner_id);
    create index {p}_supplement_due on {p}_supplement (due_at) where state = 'OPEN';

    create table {p}_material (
      id bigint generated always as identity primary key,
      owner_type text not null,
      owner_id bigint not null,
      -- Keyed hash of whom the case is about; null where nobody is known.
      person_key text,
      material_type text not null,
      file_id bigint not null,
      supplement_id bigint references {p}_supplement (id),
      replaces_id bigint unique references {p}_material (id),
      read_cipher text,
      confirmed_cipher text,
      issued_on date,
      issuer text not null default '',
      verdict text check (verdict in ('OK', 'UNCLEAR', 'WRONG', 'FAKE')),
      reason text not null default '',
      judged_by bigint,
      judged_at timestamptz,
      created_by bigint,
      created_at timestamptz not null,
      unique (owner_type, owner_id, file_id)
    );
    create index {p}_material_file on {p}_material (file_id);
    create index {p}_material_supplement on {p}_material (supplement_id) where supplement_id is not null;
    create index {p}_material_person on {p}_material (person_key) where person_key is not null;

    create table {p}_duplicate (
      id bigint generated always as identity primary key,
      owner_type text not null,
      owner_id bigint not null,
      signal text not null,
      other_type text not null,
      other_id bigint not null,
      score int not null check (score between 0 and 100),
      verdict text not null default 'PENDING' check (verdict in ('PENDING', 'DUP', 'NOT_DUP')),
      note text not null default '',
      judged_by bigint,
      judged_name text,
      found_at timestamptz not null,
      unique (owner_type, owner_id, signal, other_type, other_id)
    );
  $tables$;
begin
  if prefix !~ '^[a-z]+(_[a-z]+)*$' then
    raise exception 'no prefix of tables: %', prefix;
  end if;
  execute replace(statements, '{p}', prefix);
end $$;
revoke execute on function kernel_review_tables(text) from public;
