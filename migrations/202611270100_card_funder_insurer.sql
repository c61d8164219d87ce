-- Insurers have a register of their own (insurance): a funder that is one of them says which, so that its number in the books stays when it
-- is renamed. What was typed before is linked when it is chosen again.
alter table card_funder
  add column insurer_id bigint unique,
  add constraint card_funder_insurer check (insurer_id is null or funder = 'INSURER');
