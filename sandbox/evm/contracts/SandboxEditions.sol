// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "@openzeppelin/contracts/access/Ownable.sol";
import "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import "./Drawing.sol";

/// An ERC-1155 collection whose pictures are drawn on the chain.
contract SandboxEditions is ERC1155, Ownable {
    string public name;
    string public symbol;

    constructor(string memory name_, string memory symbol_, address owner_) ERC1155("") {
        name = name_;
        symbol = symbol_;
        _transferOwnership(owner_);
    }

    function mint(address to, uint256 id, uint256 copies) external onlyOwner {
        _mint(to, id, copies, "");
    }

    function uri(uint256 id) public view override returns (string memory) {
        return Drawing.metadata(name, id);
    }
}
