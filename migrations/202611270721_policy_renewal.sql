-- A renewed policy takes over its persons as a list of its own, which no template reads.
alter table policy_insured_batch
  alter column template_id drop not null,
  alter column template_version drop not null,
  -- the policy whose persons are proposed for the one that renews it
  add column renews_policy_id bigint references policy_policy (id),
  add constraint policy_insured_batch_source
    check (template_id is not null or renews_policy_id is not null or reverse_of_batch_id is not null);
-- a policy goes on in one other alone; one that never held is no renewal
create unique index policy_policy_renewal on policy_policy (renewal_of_policy_id)
  where renewal_of_policy_id is not null and state <> 'CANCELLED';
