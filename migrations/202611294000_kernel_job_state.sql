-- Of each scheduled job since when it is known and when it ended well last; of each job and consumer that failed, when it did so last.
create table kernel_job_state (
  name text primary key,
  known_since timestamptz not null,
  succeeded_at timestamptz,
  failed_at timestamptz
);

-- A job that repeats itself and is well again leaves the page of failed jobs by itself.
alter table kernel_failed_job drop constraint kernel_failed_job_state_check;
alter table kernel_failed_job add constraint kernel_failed_job_state_check check (state in ('FAILED', 'RETRIED', 'RECOVERED'));

-- It has one row as long as it fails, however often and in however many processes that is.
create unique index kernel_failed_job_repeated on kernel_failed_job (job_name) where job_id = 'interval' and state = 'FAILED';
create index kernel_failed_job_open on kernel_failed_job (job_name) where state = 'FAILED';
create index kernel_failed_job_of on kernel_failed_job (job_id);
