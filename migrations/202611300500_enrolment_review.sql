-- Materials, supplements and duplicates of applications (ENROL_APPLY) and of what is handed in to a contract (OTHER_MATERIAL).
select kernel_review_tables('enrolment');
