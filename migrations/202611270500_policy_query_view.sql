-- Saved questions of the query table: what of which data set in which order, and who sees them.
create table policy_query_view (
  id bigint generated always as identity primary key,
  owner_user_id bigint not null,
  owner_name text not null,
  dataset text not null check (dataset in
    ('policy', 'insured', 'slice', 'endorsement', 'premiumOrder', 'premiumItem', 'receipt', 'premiumMonth')),
  view_name text not null check (char_length(view_name) between 1 and 30),
  config jsonb not null,
  scope text not null default 'PRIVATE' check (scope in ('PRIVATE', 'ROLE', 'ALL')),
  -- of a view shared within a role: the role in which its owner shared it
  role_code text,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check ((role_code is not null) = (scope = 'ROLE'))
);
create unique index policy_query_view_name on policy_query_view (owner_user_id, dataset, view_name);
create index policy_query_view_shared on policy_query_view (scope, role_code) where scope <> 'PRIVATE';
