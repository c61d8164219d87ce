-- Customer tags of WeChat Work: the company's list, which of them a live code gives, which a contact has.
create table channel_wecom_tag (
  id bigint generated always as identity primary key,
  corp_row_id bigint not null references channel_wecom_corp (id),
  tag_id text not null,
  name text not null,
  group_name text not null,
  -- no longer in the company's list; the row stays for the contacts that name it
  removed boolean not null default false,
  updated_at timestamptz not null,
  unique (corp_row_id, tag_id)
);
alter table channel_live_code add column tag_ids bigint[] not null default '{}';
alter table channel_wecom_contact add column tag_ids bigint[] not null default '{}';

-- The simulator's own list.
create table channel_wecom_local_tag (
  id bigint generated always as identity primary key,
  corp_row_id bigint not null references channel_wecom_corp (id),
  tag_id text not null,
  name text not null,
  group_name text not null,
  unique (corp_row_id, tag_id)
);
