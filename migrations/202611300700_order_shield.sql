-- Goods whose button 加入购物车 the app hides, for everybody or for some products, cities or channels.

create table order_shield (
  id bigint generated always as identity primary key,
  goods_code text not null check (char_length(goods_code) between 1 and 32),
  goods_name text not null,
  scope text not null check (scope in ('ALL', 'PRODUCT', 'REGION', 'CHANNEL')),
  -- codes of products, of cities, ids of channels
  scope_values text[] not null default '{}',
  -- the same in words
  scope_words text not null,
  display_text text not null check (char_length(display_text) between 1 and 20),
  reason text not null check (char_length(reason) between 2 and 100),
  effective_from date not null,
  effective_to date,
  enabled boolean not null default true,
  editor_name text,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check (effective_to is null or effective_to >= effective_from),
  check ((scope = 'ALL') = (cardinality(scope_values) = 0))
);
create index order_shield_goods on order_shield (goods_code);

-- What is hidden by rows that are enabled, one for each value of their scope ('*' where it is for all); the trigger below writes it.
create table order_shield_value (
  shield_id bigint not null references order_shield (id) on delete cascade,
  goods_code text not null,
  scope text not null,
  scope_value text not null,
  effective_from date not null,
  effective_to date,
  primary key (shield_id, scope_value),
  constraint order_shield_value_once exclude using gist
    (goods_code with =, scope with =, scope_value with =, daterange(effective_from, effective_to, '[]') with &&)
);

create function order_shield_spread() returns trigger language plpgsql as $$
begin
  delete from order_shield_value where shield_id = new.id;
  if new.enabled then
    insert into order_shield_value (shield_id, goods_code, scope, scope_value, effective_from, effective_to)
      select new.id, new.goods_code, new.scope, v, new.effective_from, new.effective_to
        from unnest(case when new.scope = 'ALL' then array['*'] else new.scope_values end) v;
  end if;
  return null;
end $$;
create trigger order_shield_spread after insert or update on order_shield for each row execute function order_shield_spread();
