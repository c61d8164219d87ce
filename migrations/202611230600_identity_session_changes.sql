-- Every process keeps the sessions that it read lately in memory; a change that could make one of them wrong is told in the same
-- transaction. Moving the idle limit of a live session changes nothing that is kept.
create function identity_tell_session() returns trigger language plpgsql as $$
begin
  perform pg_notify('kangqiao_rows', 'session id ' || old.id);
  return null;
end $$;
create function identity_tell_user() returns trigger language plpgsql as $$
begin
  perform pg_notify('kangqiao_rows', 'session user ' || old.id);
  return null;
end $$;
create function identity_tell_assignment() returns trigger language plpgsql as $$
begin
  perform pg_notify('kangqiao_rows', 'session user ' || coalesce(new.user_id, old.user_id));
  return null;
end $$;
create function identity_tell_all() returns trigger language plpgsql as $$
begin
  perform pg_notify('kangqiao_rows', 'session all');
  return null;
end $$;

create trigger identity_session_tell after update on identity_session for each row
  when ((old.token_hash, old.end_reason, old.restricted, old.absolute_expires_at, old.rotated_at)
    is distinct from (new.token_hash, new.end_reason, new.restricted, new.absolute_expires_at, new.rotated_at)
    or new.idle_expires_at < old.idle_expires_at)
  execute function identity_tell_session();
create trigger identity_session_gone after delete on identity_session for each row execute function identity_tell_session();
create trigger identity_staff_user_tell after update on identity_staff_user for each row
  when ((old.user_name, old.display_name, old.op_no, old.state, old.valid_to, old.last_user_role_id, old.default_user_role_id)
    is distinct from (new.user_name, new.display_name, new.op_no, new.state, new.valid_to, new.last_user_role_id, new.default_user_role_id))
  execute function identity_tell_user();
create trigger identity_user_role_tell after insert or update or delete on identity_user_role for each row
  execute function identity_tell_assignment();
create trigger identity_role_tell after update or delete on identity_role for each statement execute function identity_tell_all();
create trigger identity_security_policy_tell after update on identity_security_policy for each statement execute function identity_tell_all();
