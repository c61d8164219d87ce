-- The same look at live slices, person by person through the index: right after a large list was written the planner knows nothing of
-- its rows yet, and would compare each with each.
create or replace function policy_live_apart() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  person bigint;
begin
  select o.insured_item_id into person
    from (
      select k.insured_item_id, s.coverage_start,
             lag(s.coverage_end) over (partition by k.insured_item_id order by s.coverage_start, s.id) as before_end
        from (
          select t.insured_item_id from policy_cover_slice t where t.created_by_endorsement_id = new.id
          union
          select t.insured_item_id from policy_cover_supersede u join policy_cover_slice t on t.id = u.slice_id
           where u.endorsement_id = new.id
        ) k
        cross join lateral (
          select l.id, l.coverage_start, l.coverage_end from policy_cover_slice l
           where l.insured_item_id = k.insured_item_id
             and (select e.visible_at is not null and e.undone_at is null from policy_endorsement e where e.id = l.created_by_endorsement_id)
             and not coalesce((
               select bool_or(x.visible_at is not null and x.undone_at is null)
                 from policy_cover_supersede u join policy_endorsement x on x.id = u.endorsement_id
                where u.slice_id = l.id), false)
          offset 0
        ) s
    ) o
   where o.before_end >= o.coverage_start
   limit 1;
  if person is not null then
    raise exception 'live cover slices of insured item % overlap', person
      using errcode = 'exclusion_violation', constraint = 'policy_cover_slice_live_apart';
  end if;
  return null;
end $$;
