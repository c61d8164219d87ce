-- Who is covered is counted by policy alone: the projection held one stretch of each person, and nobody of a first list.
drop table insurance_stat_insured;
delete from insurance_stat_gap where stream = 'insured';
delete from kernel_outbox_delivery where state <> 'DONE'
  and consumer in ('insurance:policy.insured.added', 'insurance:policy.insured.changed', 'insurance:policy.insured.removed',
    'insurance:policy.policy.terminated');
