"""What Redis does at once for `redis_states`.

Why: taking a lock and reading, and writing and giving it back, are one step each, which may be done twice.
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
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return redis.call('GET', KEYS[2]) end
for place = 3, #KEYS do
  local state = ARGV[place + 1]
  if state then redis.call('SET', KEYS[place], state, 'EX', ARGV[2]) else redis.call('EXPIRE', KEYS[place], ARGV[2]) end
end
if ARGV[3] == '' then redis.call('DEL', KEYS[1]) end
if ARGV[4] then redis.call('SETEX', KEYS[2], 60, 1) end
return 1
"""
"""Keys: the lock, what remembers that its holder has finished, those of states that have changed, those of states that are the same.

Arguments: who holds the lock, how many seconds states are kept, "" to give the lock back, states that have changed. Does nothing for anybody
else, and nothing new when it is done again, for the answer was lost.
"""
