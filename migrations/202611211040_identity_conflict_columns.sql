alter table identity_role_conflict rename column role_a_id to first_role_id;
alter table identity_role_conflict rename column role_b_id to second_role_id;

create or replace function identity_refuse_conflicting_roles() returns trigger language plpgsql as $$
declare found record;
begin
  if new.state <> 'ENABLED' then return new; end if;
  -- A new rule of conflicting roles locks both roles; an assignment waits for it here, before it reads the rules.
  perform 1 from identity_role where id = new.role_id for key share;
  perform 1 from identity_staff_user where id = new.user_id for no key update;
  select a.name as a, b.name as b into found
    from identity_role_conflict c
    join identity_user_role other on other.user_id = new.user_id and other.id <> new.id and other.state = 'ENABLED'
      and ((c.first_role_id = new.role_id and c.second_role_id = other.role_id)
        or (c.second_role_id = new.role_id and c.first_role_id = other.role_id))
      and daterange(other.valid_from, other.valid_to, '[]') && daterange(new.valid_from, new.valid_to, '[]')
    join identity_role a on a.id = new.role_id
    join identity_role b on b.id = other.role_id
    limit 1;
  if found is not null then
    raise exception using errcode = 'KQ024', message = 'conflicting roles', detail = found.a || E'\n' || found.b;
  end if;
  return new;
end $$;
