-- What was sent to be filled: one row per touch, with the version that it asks.
create table corpus_questionnaire_link (
  send_id bigint primary key,
  patient_id bigint not null,
  questionnaire_id bigint not null references corpus_questionnaire (id),
  version_id bigint not null,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  foreign key (questionnaire_id, version_id) references corpus_questionnaire_version (questionnaire_id, id)
);
alter table corpus_questionnaire_answer add foreign key (send_id) references corpus_questionnaire_link (send_id);
