-- Each look at a patient's panel is counted elsewhere; nobody writes or reads this one.
drop table consultation_panel_look;
