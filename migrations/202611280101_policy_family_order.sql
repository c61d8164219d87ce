-- Whoever came with a main insured stands under him in the list of a policy, however many its persons are.
create index policy_insured_item_family on policy_insured_item (policy_id, (coalesce(main_insured_item_id, id)) desc, id);
