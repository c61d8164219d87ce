-- The list works it out of what was written down of each conversation.
alter table doctor_assistant drop column first_reply_median_sec;
