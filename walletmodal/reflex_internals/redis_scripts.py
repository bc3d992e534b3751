"""What Redis does at once with a session.

Why: taking a lock and reading, writing and giving it back, and deleting what is locked are one step each, which may be done twice.
Test: `test_each_state_that_a_handler_asks_for_is_read_by_itself`, `tests/test_redis_states.py`.
Dropped when: `redis_states` is.
"""

from typing import Final

TAKE: Final = """
local holder = redis.call('GET', KEYS[1])
if not holder then redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) elseif holder ~= ARGV[1] then return false end
return redis.call('MGET', unpack(KEYS, 2))
"""
"""Keys: the lock, those of states. Arguments: who wants the lock, for how many ms. Whoever has it already, for the answer was lost, has it."""
FINISH: Final = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  local finished = redis.call('GET', KEYS[2])
  if not finished then redis.call('DEL', KEYS[4]) end
  return finished
end
local changed = #ARGV - 5
if changed > 0 and ARGV[4] ~= 'DEL' and redis.call('EXISTS', KEYS[3]) == 0 then
  redis.call('DEL', KEYS[1])
  return 0
end
local before = redis.call('GET', KEYS[4]) or ''
if ARGV[5] ~= '' and (changed > 0 or redis.call('EXISTS', KEYS[3]) == 1) then
  redis.call('SET', KEYS[4], ARGV[5], 'EX', ARGV[2])
elseif ARGV[4] == 'EXPIRE' then
  redis.call('EXPIRE', KEYS[4], ARGV[2])
end
for place = 1, changed do
  local key, state = KEYS[place + 4], ARGV[place + 5]
  if not redis.call('SET', key, state, 'XX', 'KEEPTTL') then redis.call('SET', key, state, 'EX', ARGV[2]) end
  if ARGV[4] ~= '' then redis.call('EXPIRE', key, ARGV[2]) end
end
for place = changed + 5, #KEYS do
  if ARGV[4] == 'EXPIRE' then redis.call('EXPIRE', KEYS[place], ARGV[2]) else redis.call('DEL', KEYS[place]) end
end
if ARGV[3] == '' then redis.call('DEL', KEYS[1]) end
if changed > 0 then redis.call('SETEX', KEYS[2], 60, 1) end
return before
"""
"""Keys: the lock, what remembers that its holder has finished, the root state, the session's version; states that have changed; all others, where
ARGV[4] is not "".

Arguments: who holds the lock, for how many seconds a session is kept, "" to give the lock back, what is done with a session's states: "EXPIRE"
has all of them kept anew, "DEL" deletes those that have not changed; the version from now on, "" where it stays; then the states that have
changed, which are otherwise kept as long as before, or where they are new, as a session is. Returns the version before, nothing where somebody
else has the lock, and 0 where the session has ended meanwhile, of which nothing is written. Where somebody else has it and this holder has not
finished the session has no version any more: its page may have been told what is not written, or is told too late. Done again, for the answer was lost, it writes nothing new, and
returns another version than there was, or where nothing had changed the same as where somebody else has the lock.
"""
FORGET: Final = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', unpack(KEYS, 2))
"""
"""Keys: the lock, all else of the session. Argument: who holds the lock; nothing is deleted where that is somebody else by now."""
