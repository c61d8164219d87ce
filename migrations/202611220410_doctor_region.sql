-- Regions are asked for by the beginning of their code; the most common pair is a region and a state of qualification.
drop index doctor_doctor_region;
create index doctor_doctor_region on doctor_doctor (adcode text_pattern_ops, title_code);
create index doctor_doctor_qual_region on doctor_doctor (qual_state, adcode text_pattern_ops);
