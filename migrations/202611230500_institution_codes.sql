-- Columns that hold codes of the contract's dictionaries list them, so that the table types know them.
alter table institution_hospital
  add check (level in ('L3A', 'L3B', 'L3C', 'L3N', 'L2A', 'L2B', 'L2C', 'L2N', 'L1', 'L0')),
  add check (quality_issues <@ array['NO_COORDINATES', 'NO_USCC', 'NO_LEVEL', 'CITY_ONLY', 'NO_DEPARTMENT', 'BRACKET_CAMPUS', 'NO_PHONE', 'NO_LICENCE']),
  add check (state_before_merge in ('ENABLED', 'DISABLED'));
alter table institution_hospital_apply add check (level in ('L3A', 'L3B', 'L3C', 'L3N', 'L2A', 'L2B', 'L2C', 'L2N', 'L1', 'L0'));
alter table institution_drugstore
  add check (store_tags <@ array['DTP', 'CHAIN', 'SINGLE', 'DIRECT', 'DUAL', 'ONLINE']),
  add check (capabilities <@ array['COLD', 'RX', 'DELIVERY', 'PICKUP', 'INFUSION', 'SPECIAL']);
