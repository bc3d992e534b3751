// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./SandboxToken.sol";

/// A token of which each transfer burns a hundredth. Its storage is that of `SandboxToken`, whose place its code can take.
contract SandboxTaxed is SandboxToken {
    constructor(string memory name_, string memory symbol_, uint8 decimals_, address owner_)
        SandboxToken(name_, symbol_, decimals_, owner_)
    {}

    function _transfer(address from, address to, uint256 amount) internal override {
        super._transfer(from, to, amount);
        _burn(to, amount / 100);
    }
}
