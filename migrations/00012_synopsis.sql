-- What a chapter is about, for whoever translates it. Its glossary is a row of glossary with the task's id.

-- +goose Up
ALTER TABLE task ADD COLUMN synopsis text CHECK (char_length(synopsis) BETWEEN 1 AND 2000);
COMMENT ON COLUMN task.synopsis IS 'What the chapter is about, as the client told it; given to the model with every page of this task alone.';

-- +goose Down
ALTER TABLE task DROP COLUMN synopsis;
