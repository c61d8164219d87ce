-- Pairs of rights about one document that one person should not hold both: written from the contract with the catalogue of rights.
create table identity_duty_pair (
  makes text not null,
  decides text not null,
  document text not null,
  -- Money moves: refused. Otherwise a warning.
  money boolean not null,
  primary key (makes, decides)
);

-- Pairs that one person joins who holds these roles, each for its period. The super administrator is exempt by itself: its rights are
-- the design's, and no role can be made like it.
create function identity_duties_between(of_roles bigint[], periods daterange[]) returns jsonb language sql stable as $$
  with held as (
    select g.n, r.id as role_id, r.role_code, case when cardinality(of_roles) > 1 then r.name end as name, rp.code, g.period
      from unnest(of_roles, periods) with ordinality as g (role_id, period, n)
      join identity_role r on r.id = g.role_id
      join identity_role_permission rp on rp.role_id = r.id),
  joined as (
    select distinct on (p.makes, p.decides) p.makes, p.decides, p.document, p.money, a.name as makes_role, b.name as decides_role
      from identity_duty_pair p
      join held a on a.code = p.makes
      join held b on b.code = p.decides and b.period && a.period
      where not exists (
        select from held x join held y on y.n = x.n and y.code = p.decides where x.role_code = 'SUPER_ADMIN' and x.code = p.makes)
      order by p.makes, p.decides, a.role_id, b.role_id)
  select coalesce(
      jsonb_agg(
        jsonb_build_object(
          'document', j.document, 'money', j.money, 'makes', j.makes, 'makesLabel', m.label, 'makesRole', j.makes_role, 'decides', j.decides,
          'decidesLabel', d.label, 'decidesRole', j.decides_role
        ) order by j.money desc, j.decides, j.makes
      ),
      '[]'
    )
    from joined j
    join identity_permission_catalogue m on m.code = j.makes
    join identity_permission_catalogue d on d.code = j.decides
$$;

-- Pairs that a role joins by itself.
create function identity_duties_of_role(of_role bigint) returns jsonb language sql stable as $$
  select identity_duties_between(array[of_role], array['(,)'::daterange])
$$;

-- Pairs that somebody joins by all that he holds on one day, today or later.
create function identity_duties_of_user(of_user bigint, today date) returns jsonb language sql stable as $$
  select identity_duties_between(array_agg(ur.role_id order by ur.id), array_agg(daterange(ur.valid_from, ur.valid_to, '[]') order by ur.id))
    from identity_user_role ur
    join identity_role r on r.id = ur.role_id and r.state = 'ENABLED' and r.deleted_at is null
    where ur.user_id = of_user and ur.state = 'ENABLED' and (ur.valid_to is null or ur.valid_to >= today)
$$;
