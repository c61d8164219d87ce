-- Runs without an open touch are looked for every few minutes.
create index corpus_follow_send_open on corpus_follow_send (run_id) where state in ('PLANNED', 'HELD', 'SENDING', 'UNKNOWN', 'FAILED');
