-- The one table of the database subjects. Made by whoever starts them, never by themselves: so a start-up holds no DDL,
-- and all of them find the same table. By hand: psql -f schema.sql
CREATE TABLE person (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name        varchar(128) NOT NULL,
    description varchar(256) NOT NULL
);
