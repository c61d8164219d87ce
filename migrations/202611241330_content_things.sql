-- What deliveries lead to, and who pays for advertisements, are records of other domains, of kinds that their owners register.

do $$
declare
  name text;
begin
  for name in
    select conname from pg_constraint
     where conrelid = 'content_delivery'::regclass and contype = 'c' and pg_get_constraintdef(oid) like '%link_type%'
  loop
    execute format('alter table content_delivery drop constraint %I', name);
  end loop;
end $$;
alter table content_delivery
  add constraint content_delivery_link_type check (link_type in
    ('NONE', 'MINI_PATH', 'H5', 'MEDICINE', 'PRODUCT', 'DOCTOR', 'ARTICLE', 'COUPON', 'OTHER_MP')),
  add constraint content_delivery_link_object check
    ((link_object_id is not null) = (link_type in ('MEDICINE', 'PRODUCT', 'DOCTOR', 'ARTICLE', 'COUPON')));

alter table content_advert
  add column sponsor_id bigint,
  drop constraint content_advert_sponsor_name_check,
  add constraint content_advert_sponsor_name check (char_length(sponsor_name) between 1 and 100),
  -- own advertisements and those of others are nobody's record
  add constraint content_advert_sponsor check (sponsor_id is null or sponsor_type in ('PHARMA', 'INSURER'));
