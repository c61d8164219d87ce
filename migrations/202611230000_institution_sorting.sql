-- Orders that the hospitals' list declares.
create index institution_hospital_by_pinyin on institution_hospital (name_pinyin);
create index institution_hospital_by_doctors on institution_hospital (doctor_count);
create index institution_hospital_by_quality on institution_hospital (quality_score_bp);
create index institution_hospital_by_change on institution_hospital (updated_at);
